/// The version of all of this software, the same for everything that is built from one source.
package enum SoftwareVersion {
    /// As in `CHANGELOG.md`.
    package static let current = "0.1.0"
}
