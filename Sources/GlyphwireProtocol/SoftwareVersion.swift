/// Version of this software, the same for all products built from one source.
package enum SoftwareVersion {
    /// Version as in `CHANGELOG.md`.
    package static let current = "0.1.0"
}
