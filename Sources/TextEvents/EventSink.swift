package import GlyphwireProtocol

/// Receiver of the events of all sources.
package protocol EventSink: Sendable {
    /// Takes events, and waits only where the receiver sets the pace.
    ///
    /// - Parameter report: Events of one source at one time, with its texts.
    func send(_ report: EventReport) async

    /// Takes the sources from now on; what it keeps of others is removed.
    func sourcesChanged(to sources: [EventSource]) async

    /// Delivers what is left, within a bounded time.
    func close() async
}

extension EventSink {
    /// Nothing, by default.
    package func sourcesChanged(to sources: [EventSource]) async {}
}

/// Events of one source at one time.
package struct EventReport: Sendable {
    /// Events in order.
    package var events: [TextEvent]
    /// All texts of the source after the events.
    package var texts: [ObservedText]
    /// The source.
    package var source: EventSource

    /// Creates a report.
    package init(events: [TextEvent], texts: [ObservedText], source: EventSource) {
        self.events = events
        self.texts = texts
        self.source = source
    }
}
