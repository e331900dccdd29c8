package import NIOCore

/// Sink that writes each event as a line of JSON.
package struct EventLines: EventSink {
    private let write: @Sendable (ByteBuffer) -> Void

    /// Creates a sink.
    ///
    /// - Parameter write: Writes whole lines.
    package init(write: @escaping @Sendable (ByteBuffer) -> Void) {
        self.write = write
    }

    package func send(_ report: EventReport) async {
        var lines = ByteBuffer()
        for event in report.events {
            lines.writeImmutableBuffer(event.json(of: report.source))
            lines.writeString("\n")
        }
        self.write(lines)
    }

    package func close() async {}
}
