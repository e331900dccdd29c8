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
    /// - Returns: The number of connections that fit.
    static func raise() -> Int {
        var limit = rlimit()
        // Glibc imports the constant as an enumeration value for C++.
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int.max }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        let room = max(Int(clamping: limit.rlim_cur) - self.reserve, 2)
        // Refused connections need descriptors too: see `ServerLimits.maxRefusedConnections`.
        return room - min(max(room / 5, 1), 64)
    }
}
