internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Capture time of frames from live sources.
package enum CaptureTime {
    /// Microseconds since 1970.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(time.tv_sec, 0)) * 1_000_000 + UInt64(time.tv_nsec / 1000)
    }
}
