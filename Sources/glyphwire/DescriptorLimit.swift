#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Limit of open files and connections of this process.
enum DescriptorLimit {
    /// Descriptors reserved for the process itself: models, logs, event loops, and files that the runtime opens.
    private static let reserve = 32

    /// Raises the limit as far as the system allows.
    ///
    /// - Returns: The number of connections that it has room for.
    static func raise() -> Int {
        var limit = rlimit()
        // Glibc imports the constant as a value of an enumeration for C++'s sake.
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int.max }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        let room = max(Int(clamping: limit.rlim_cur) - self.reserve, 2)
        // Connections that are refused take some as well: see `ServerLimits.maxRefusedConnections`.
        return room - min(max(room / 5, 1), 64)
    }
}
