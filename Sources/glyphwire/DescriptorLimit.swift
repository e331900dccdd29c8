internal import GlyphwireServer
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Limit of open files and connections of this process.
struct DescriptorLimit {
    /// Descriptors reserved for the process itself: models, logs, and files that the runtime opens.
    private static let reserve = 32
    /// Descriptors of an event loop, of which SwiftNIO has one for each processor: those for epoll, events and timers.
    private static let eventLoopDescriptors = 3

    private static var reserved: Int { self.reserve + self.eventLoopDescriptors * System.coreCount }

    /// Connections of any kind that fit.
    private let room: Int

    /// Raises the limit as far as the system allows.
    static func raise() -> DescriptorLimit {
        var limit = rlimit()
        // Glibc imports the constant as an enumeration value for C++.
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return DescriptorLimit(room: Int.max)
        }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return DescriptorLimit(room: max(Int(clamping: limit.rlim_cur) - self.reserved, 4))
    }

    /// Reduces the limits of open connections to what fits.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - hasHTTP: Whether there is an HTTP service, which gets a quarter of the room at most.
    /// - Returns: Whether there are fewer connections than configured.
    func fit(_ limits: inout ServerLimits, hasHTTP: Bool) -> Bool {
        let configured = limits
        var room = self.room
        if hasHTTP {
            limits.maxHTTPConnections = min(limits.maxHTTPConnections, max(room / 4, 1))
            room -= limits.maxHTTPConnections + limits.maxRefusedHTTPConnections
        }
        // Refused connections need descriptors too: see `ServerLimits.maxRefusedConnections`.
        room -= min(max(room / 5, 1), 64)
        limits.maxConnections = min(limits.maxConnections, room)
        return limits != configured
    }
}
