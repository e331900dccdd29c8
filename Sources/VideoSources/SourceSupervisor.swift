package import GlyphwireClient

/// Supervisor of a source that restarts it for ever, with exponential back-off.
package struct SourceSupervisor: Sendable {
    /// Change of a source's state.
    package enum Change: Sendable, Equatable {
        /// The first frame after the start, or after a time without, with its time of arrival since 1970.
        case online(microseconds: UInt64)
        /// There are no frames for a reason; reported once until the source is online again.
        case offline(String)
        /// It is still offline, for a reason that differs from that of the attempt before.
        case stillOffline(String)
        /// A picture cannot be used for a reason; the source goes on.
        case badPicture(String)
    }

    /// Maximum time for which `offline` waits for the answers to the frames before, which a server that is away never gives.
    private static let answerTime = Duration.seconds(10)

    private let source: any FrameSource
    private let backOff: BackOff

    /// Creates a supervisor of a source.
    package init(_ source: any FrameSource, backOff: BackOff = BackOff()) {
        self.source = source
        self.backOff = backOff
    }

    /// Runs a live source until the task is cancelled, and another one once; then finishes the mailbox.
    ///
    /// - Parameters:
    ///   - mailbox: Takes the frames.
    ///   - onChange: Called at each change of the state.
    /// - Throws: The error of a source that is not live.
    package func run(into mailbox: FrameMailbox, onChange: @escaping @Sendable (Change) -> Void) async throws {
        defer { mailbox.finish() }
        guard self.source.isLive else { return try await self.attempt(into: mailbox, onChange: onChange) }
        mailbox.onBadPicture { onChange(.badPicture($0)) }
        var backOff = self.backOff
        /// Reason of the last attempt, while the source is offline.
        var lastReason: String?
        while !Task.isCancelled {
            let (arrivals, rejections) = (mailbox.arrivals, mailbox.rejections)
            var reason = "the stream has ended"
            do {
                try await self.attempt(into: mailbox, onChange: onChange)
            } catch {
                reason = "\(error)"
            }
            if Task.isCancelled { return }
            if mailbox.arrivals > arrivals {
                backOff.succeeded()
                lastReason = nil
            } else if mailbox.rejections > rejections {
                reason += "; \(mailbox.rejectionReason)"
            }
            if lastReason == nil {
                await mailbox.waitForAnswers(atMost: Self.answerTime)
                if Task.isCancelled { return }
                onChange(.offline(reason))
            } else if lastReason != reason {
                onChange(.stillOffline(reason))
            }
            lastReason = reason
            try? await Task.sleep(for: backOff.failed())
        }
    }

    /// Runs the source once, and ends it if it is silent for too long.
    private func attempt(into mailbox: FrameMailbox, onChange: @escaping @Sendable (Change) -> Void) async throws {
        mailbox.onNextArrival { onChange(.online(microseconds: $0.capturedMicroseconds)) }
        try await withThrowingTaskGroup(of: Void.self) { [source] tasks in
            tasks.addTask { try await source.run(into: mailbox) }
            if source.isLive { tasks.addTask { try await Self.waitForSilence(of: source, mailbox) } }
            defer { tasks.cancelAll() }
            try await tasks.next()
        }
    }

    /// Returns when the source has sent nothing for as long as it may, with an error.
    private static func waitForSilence(of source: any FrameSource, _ mailbox: FrameMailbox) async throws {
        while true {
            let arrivals = mailbox.arrivals
            try await Task.sleep(for: source.silence)
            if mailbox.arrivals == arrivals {
                throw SourceError(.ended, "no picture has come for \(source.silence)")
            }
        }
    }
}
