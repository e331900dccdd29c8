internal import GlyphwireProtocol

/// Digest of a connection's errors for the log: the first of each code is logged, its repeats are counted.
///
/// Pure: the caller passes the time.
struct ErrorDigest {
    /// What to log of an error.
    enum Entry: Equatable {
        /// The first error of its code.
        case first
        /// Number of errors of its code since the last entry.
        case repeated(Int)
    }

    /// Errors of one code that were not logged yet.
    private struct Repeats {
        var count = 0
        var start: ContinuousClock.Instant
    }

    /// The time between two entries of one code.
    private static let interval = Duration.seconds(60)

    /// Codes come from this program, so they are few.
    private var codes: [WireError.Code: Repeats] = [:]

    /// Counts an error.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - now: The time.
    /// - Returns: What to log; `nil` for a repeat within a minute of the last entry.
    mutating func errorOccurred(_ code: WireError.Code, at now: ContinuousClock.Instant) -> Entry? {
        guard var repeats = self.codes[code] else {
            self.codes[code] = Repeats(start: now)
            return .first
        }
        repeats.count += 1
        let isDue = now - repeats.start >= Self.interval
        self.codes[code] = isDue ? Repeats(start: now) : repeats
        return isDue ? .repeated(repeats.count) : nil
    }

    /// Takes the repeats that were not logged, in the order of their codes.
    mutating func takeRest() -> [(code: WireError.Code, count: Int)] {
        defer { self.codes = [:] }
        return self.codes.filter { $0.value.count > 0 }.map { ($0.key, $0.value.count) }
            .sorted { $0.code.rawValue < $1.code.rawValue }
    }
}
