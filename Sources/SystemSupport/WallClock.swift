internal import TextModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Wall clock for capture times, and for comparison with the clocks of peers; it may jump, so it is not used for durations.
package enum WallClock {
    /// Whole seconds since 1970.
    package static var seconds: Int { Int(self.microseconds / 1_000_000) }

    /// Microseconds since 1970.
    package static var microseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec) / 1000
    }

    /// A time as RFC 3339 has it, in UTC with milliseconds.
    package static func timestamp(microseconds: UInt64) -> String {
        let milliseconds = "\(microseconds / 1000 % 1000)".zeroPadded(to: 3)
        return "\(Self.dateAndTime(seconds: time_t(clamping: microseconds / 1_000_000))).\(milliseconds)Z"
    }

    /// A time in seconds since 1970 as RFC 3339 has it, in UTC.
    package static func timestamp(seconds: Int) -> String { "\(Self.dateAndTime(seconds: time_t(clamping: seconds)))Z" }

    private static func dateAndTime(seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date =
            ["\(parts.tm_year + 1900)".zeroPadded(to: 4)] + [parts.tm_mon + 1, parts.tm_mday].map(Self.twoDigits)
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits)
        return "\(date.joined(separator: "-"))T\(time.joined(separator: ":"))"
    }

    private static func twoDigits(_ number: Int32) -> String { "\(number)".zeroPadded(to: 2) }
}
