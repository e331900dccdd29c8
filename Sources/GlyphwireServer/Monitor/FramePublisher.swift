internal import GlyphwireProtocol

/// Publisher of one stream's frames to the server's ``WatcherList``.
struct FramePublisher {
    private let watchers: WatcherList
    private let stream: ConnectionID
    /// Ticket of the newest published frame.
    private var lastTicket = -1

    /// Creates a publisher for a stream without frames.
    init(watchers: WatcherList, stream: ConnectionID) {
        self.watchers = watchers
        self.stream = stream
    }

    /// Publishes an answered frame unless a later one was published already.
    ///
    /// Workers may finish out of order, but a watcher never sees an older frame after a newer one.
    mutating func publish(_ frame: FinishedFrame, of job: FrameJob) {
        guard !self.watchers.isEmpty, job.ticket > self.lastTicket else { return }
        self.lastTicket = job.ticket
        self.watchers.publish(
            WatchedFrame(
                stream: self.stream.number,
                isRead: FrameStatus(frame.result.outcome) == .ok,
                frame: job.frame,
                payload: job.payload,
                line: frame.completeLine
            )
        )
    }
}
