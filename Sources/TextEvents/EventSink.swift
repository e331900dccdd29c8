package import GlyphwireProtocol

/// Receiver of the events of all sources.
package protocol EventSink: Sendable {
    /// Takes events without waiting for the receiver.
    ///
    /// - Parameter report: Events of one source at one time, with its texts.
    func send(_ report: EventReport)

    /// Waits while too many events of files are on their way, unless the task is cancelled.
    func waitForRoom() async

    /// Takes the sources from now on; what it keeps of others is removed.
    func sourcesChanged(to sources: [EventSource])

    /// Delivers what is left, within a bounded time.
    ///
    /// - Returns: The number of events that were not delivered; the sink has logged it.
    func close() async -> Int
}

extension EventSink {
    /// Nothing, by default: live sources do not wait.
    package func waitForRoom() async {}

    /// Nothing, by default.
    package func sourcesChanged(to sources: [EventSource]) {}
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
