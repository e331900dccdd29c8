package import GlyphwireProtocol

/// Receiver of the events of all sources.
package protocol EventSink: Sendable {
    /// Takes events, and waits only where the receiver sets the pace.
    ///
    /// - Parameter report: Events of one source at one time, with its texts.
    func send(_ report: EventReport) async

    /// Delivers what is left, within a bounded time.
    func close() async
}

/// Events of one source at one time.
package struct EventReport: Sendable {
    /// Events in order.
    package var events: [TextEvent]
    /// All texts of the source after the events.
    package var texts: [ObservedText]
    /// Number of the source.
    package var source: Int
    /// Patterns of the source's stream, as written.
    package var patterns: [String]

    /// Creates a report.
    package init(events: [TextEvent], texts: [ObservedText], source: Int, patterns: [String]) {
        self.events = events
        self.texts = texts
        self.source = source
        self.patterns = patterns
    }
}
