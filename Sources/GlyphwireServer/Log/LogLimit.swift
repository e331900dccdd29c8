internal import Logging

/// Limit of the entries of the log that each address can cause; those beyond it are counted.
///
/// Pure: the caller passes the time.
struct LogLimit {
    /// Entries that count together.
    struct Kind: Hashable {
        let level: Logger.Level
        /// The message, and the status of HTTP if there is one.
        let message: String
        /// Address of the peer, as of the limits of connections.
        var address: String
    }

    /// Entries of a kind within a minute.
    private struct Window {
        let start: ContinuousClock.Instant
        var count = 0
    }

    /// Time in which entries of a kind are limited, as repeats of an error on one connection are.
    static let interval = Duration.seconds(60)
    /// Maximum number of entries of a kind: more than of a camera that connects again each second, 30 MB a day.
    static let maxEntries = 100
    /// Maximum number of kinds with a limit of their own, which bounds memory and log in a flood from many addresses: one for
    /// each connection that is allowed by default.
    static let maxKinds = 1024
    /// Address of all that are beyond it.
    static let otherAddresses = "others"

    private var windows: [Kind: Window] = [:]

    /// Counts an entry.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - now: The time.
    /// - Returns: Whether it is within the limit.
    mutating func admits(_ kind: Kind, at now: ContinuousClock.Instant) -> Bool {
        var kind = kind
        if self.windows[kind] == nil, self.windows.count >= Self.maxKinds { kind.address = Self.otherAddresses }
        var window = self.windows[kind] ?? Window(start: now)
        window.count += 1
        self.windows[kind] = window
        return window.count <= Self.maxEntries
    }

    /// Takes the numbers of entries beyond the limit, of the kinds whose minute is over at `now`.
    mutating func takeExcess(at now: ContinuousClock.Instant) -> [(kind: Kind, count: Int)] {
        let ended = self.windows.filter { now - $0.value.start >= Self.interval }
        for kind in ended.keys { self.windows[kind] = nil }
        return ended.filter { $0.value.count > Self.maxEntries }
            .map { (kind: $0.key, count: $0.value.count - Self.maxEntries) }
            .sorted { ($0.kind.message, $0.kind.address) < ($1.kind.message, $1.kind.address) }
    }
}
