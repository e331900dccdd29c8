internal import NIOConcurrencyHelpers

/// Sink that passes events to other sinks, each of which gets them in the same order.
package final class EventBroadcaster: EventSink {
    private let sinks: [any EventSink]
    /// Held while a report goes to all sinks, since sources report at the same time.
    private let lock = NIOLock()

    /// Creates a broadcaster to `sinks`.
    package init(to sinks: [any EventSink]) { self.sinks = sinks }

    package func send(_ report: EventReport) {
        self.lock.withLock {
            for sink in self.sinks { sink.send(report) }
        }
    }

    package func waitForRoom() async {
        for sink in self.sinks { await sink.waitForRoom() }
    }

    package func sourcesChanged(to sources: [EventSource]) {
        self.lock.withLock {
            for sink in self.sinks { sink.sourcesChanged(to: sources) }
        }
    }

    package func close() async -> Int {
        var undelivered = 0
        for sink in self.sinks { undelivered += await sink.close() }
        return undelivered
    }
}
