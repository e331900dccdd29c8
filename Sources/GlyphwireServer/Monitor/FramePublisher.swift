internal import GlyphwireProtocol

/// Publisher of one stream's frames to the server's ``WatcherList``.
struct FramePublisher {
    private let watchers: WatcherList
    private let stream: ConnectionID
    /// The ticket of the newest frame published.
    private var lastTicket = -1

    /// A publisher for a stream that has had no frame yet.
    init(watchers: WatcherList, stream: ConnectionID) {
        self.watchers = watchers
        self.stream = stream
    }

    /// Publishes a frame that a worker has answered, unless a later frame was published before.
    ///
    /// Workers may overtake each other, but a watcher sees no older frame after a newer one.
    mutating func publish(_ frame: FinishedFrame, of job: FrameJob) {
        guard !self.watchers.isEmpty, job.ticket > self.lastTicket else { return }
        self.lastTicket = job.ticket
        self.watchers.publish(
            WatchedFrame(
                stream: self.stream.number,
                isRead: FrameStatus(frame.result.outcome) == .ok,
                frame: job.frame,
                payload: job.payload,
                line: frame.line
            )
        )
    }
}
