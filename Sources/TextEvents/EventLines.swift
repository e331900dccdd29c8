package import Logging
internal import NIOConcurrencyHelpers
package import NIOCore
package import SystemSupport

/// Sink that writes each event as a line of JSON, on a thread of its own, since an output may block for any time.
///
/// Where the reader is slow, the oldest events of live sources are dropped, and files wait.
package final class EventLines: EventSink {
    /// Time for what is left when the program ends.
    private static let grace = Duration.seconds(5)

    private let logger: Logger
    private let onReaderLost: @Sendable () -> Void
    private let output: OutputThread<EventBacklog>
    private let room = RoomWaiters()
    /// Number of events lost since the output takes none; `nil` while it takes them.
    private let outage = NIOLockedValueBox<Int?>(nil)

    /// Creates a sink, which begins at once.
    ///
    /// - Parameters:
    ///   - logger: Reports once that the output takes nothing, once that it does again, and at the end how many events it lost.
    ///   - onReaderLost: Called once when the output's reader has gone, after which events are discarded.
    ///   - write: Writes bytes, and blocks until they are taken.
    /// - Throws: ``ThreadError`` if the system cannot start another thread.
    package init(
        logger: Logger,
        onReaderLost: @escaping @Sendable () -> Void = {},
        write: @escaping @Sendable (ByteBuffer) -> OutputResult
    ) throws(ThreadError) {
        self.logger = logger
        self.onReaderLost = onReaderLost
        self.output = OutputThread(EventBacklog(), write: write)
        try self.output.start(
            name: "events",
            taken: { self.room.release() },
            written: { failure, lostCount in self.report(failure, lostCount: lostCount) }
        )
    }

    /// Whether the output's reader has gone.
    package var hasLostReader: Bool { self.output.hasLostReader }

    package func send(_ report: EventReport) {
        for event in report.events {
            let json = event.json(of: report.source)
            let isFirstDrop = self.output.update { $0.append(json, mayBeDropped: event.time.isLive) }
            if isFirstDrop == true { self.logger.warning("standard output is behind: the oldest events are dropped") }
        }
    }

    package func waitForRoom() async {
        await self.room.wait { self.output.read(\.hasRoom) }
    }

    package func close() async -> Int {
        let lostCount = await self.output.close(within: Self.grace)
        if lostCount > 0 {
            self.logger.error(
                "standard output did not take all events",
                metadata: ["lost": .stringConvertible(lostCount)]
            )
        }
        return lostCount
    }

    /// Logs when the output begins to refuse events, takes them again, or loses its reader.
    private func report(_ failure: OutputResult.Failure?, lostCount: Int) {
        switch failure {
        case nil:
            let ended = self.outage.withLockedValue { outage in
                defer { outage = nil }
                return outage
            }
            if let ended {
                self.logger.notice("standard output takes events again", metadata: ["lost": .stringConvertible(ended)])
            }
        case .closed?:
            self.logger.warning("standard output is closed: its reader has gone")
            self.room.release()
            self.onReaderLost()
        case .other(let reason)?:
            let begins = self.outage.withLockedValue { outage in
                defer { outage = (outage ?? 0) + lostCount }
                return outage == nil
            }
            if begins { self.logger.warning("standard output takes no events", metadata: ["reason": "\(reason)"]) }
        }
    }
}
