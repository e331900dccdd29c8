#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// How many files and connections the system lets this process have open.
enum DescriptorLimit {
    /// What is kept for the process itself: models, logs, event loops, and what the runtime looks up as it compiles networks.
    private static let reserve = 32

    /// Takes as many as the system allows.
    ///
    /// - Returns: How many connections that leaves room for.
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
        // Those who are told that there is no room take some as well: see `ServerLimits.maxTurnedAway`.
        return room - min(max(room / 5, 1), 64)
    }
}
