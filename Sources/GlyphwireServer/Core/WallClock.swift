#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Wall clock for comparison with clients' clocks; it may jump, so it is not used for durations.
enum WallClock {
    /// Whole seconds since 1970.
    static var seconds: Int { Int(self.microseconds / 1_000_000) }

    /// Microseconds since 1970.
    static var microseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec) / 1000
    }
}
