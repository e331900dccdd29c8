internal import NIOCore

/// Processor cores that this process may use.
package enum SystemCores {
    /// Number of cores, at most the quota of the process's control group.
    ///
    /// Found once: the control group's files are opened for it, and the help text of each limit needs it.
    package static let count = System.coreCount
}
