internal import FramePipeline
package import GlyphwireProtocol
package import NIOCore
internal import NIOConcurrencyHelpers
package import TextModel

/// Stream of frames from this process, which is scheduled, tracked, counted and shown as that of a live connection.
///
/// A newer frame supersedes one that waits. Call ``close()`` after the last frame is answered.
package final class LocalStream: Sendable {
    private struct State: Sendable {
        var stream: StreamState
        var publisher: FramePublisher
        /// Number of frames so far, which is the sequence number of the next.
        var count = 0
    }

    private let id: ConnectionID
    private let components: ServerComponents
    private let gauge: StreamGauge
    private let state: NIOLockedValueBox<State>

    /// Opens a stream without frames.
    ///
    /// - Parameters:
    ///   - peer: What ``StreamStatus/peer`` has in place of an address.
    ///   - components: The components of the server.
    init(peer: String, components: ServerComponents) {
        let configuration = components.configuration.stream
        self.id = .next()
        self.components = components
        self.gauge = StreamGauge(id: self.id, configuration: configuration, isAuthenticated: true)
        self.state = NIOLockedValueBox(
            State(
                stream: StreamState(configuration: configuration, budget: components.trackingBudget),
                publisher: FramePublisher(watchers: components.watchers, stream: self.id)
            )
        )
        self.gauge.connected(from: peer)
        components.connections.add(self.gauge, id: self.id)
    }

    /// Closes the stream, and frees its memory.
    package func close() {
        self.components.connections.removeGauge(self.id)
        self.components.queue.remove(self.id)
        self.state.withLockedValue { $0.stream.release() }
    }

    /// Reads the next frame of the stream.
    ///
    /// - Parameters:
    ///   - frame: The format and size of the picture.
    ///   - payload: The picture.
    ///   - configuration: The options from this frame on, which the engine supports; delivery is live whatever they say.
    ///   - received: The time of the last byte of the picture.
    ///   - decoding: The time in which the picture was decoded since then.
    /// - Returns: The text with the IDs of the stream's words, an error, or that a newer frame superseded this one.
    package func read(
        _ frame: FrameDescription,
        payload: ByteBuffer,
        configuration: StreamConfiguration,
        received: ContinuousClock.Instant = .now,
        decoding: Duration = .zero
    ) async -> FrameResult {
        var configuration = configuration
        configuration.delivery = .live
        self.gauge.received(byteCount: payload.readableBytes)
        // The time of the gauge must not decrease; `received` may, where pictures are decoded side by side.
        self.gauge.frameReceived(at: .now)
        let result = await withCheckedContinuation { continuation in
            // Under the lock, so that frames are queued in the order of their numbers.
            let (job, appended) = self.state.withLockedValue { state in
                self.configure(configuration, &state)
                let job = self.makeJob(frame, payload: payload, received: received, decoding: decoding, &state) {
                    result in
                    continuation.resume(returning: result)
                }
                return (job, self.components.queue.append(job))
            }
            switch appended {
            case .queued: break
            case .superseding(let older): older.finish(older.unread(.dropped(by: job.sequence), at: .now), older)
            case .stopped: continuation.resume(returning: FrameResult(unread: .serverStops))
            }
        }
        self.gauge.frameAnswered(result)
        return result
    }

    private func configure(_ configuration: StreamConfiguration, _ state: inout State) {
        guard state.count == 0 || state.stream.configuration != configuration else { return }
        state.stream.configuration = configuration
        self.gauge.configured(configuration)
    }

    private func makeJob(
        _ frame: FrameDescription,
        payload: ByteBuffer,
        received: ContinuousClock.Instant,
        decoding: Duration,
        _ state: inout State,
        finish: @escaping @Sendable (FrameResult) -> Void
    ) -> FrameJob {
        defer { state.count += 1 }
        return FrameJob(
            connection: self.id,
            ticket: state.count,
            sequence: UInt64(state.count),
            capturedMicroseconds: 0,
            frame: frame,
            payload: payload,
            configuration: state.stream.configuration,
            tracking: state.stream.trackingState(),
            arrival: FrameArrival(at: received, wallMicroseconds: 0, capturedMicroseconds: 0, clockOffset: nil),
            decoding: decoding,
            finish: { finished, job in
                self.components.meters.frameAnswered(finished.result)
                self.state.withLockedValue { $0.publisher.publish(finished, of: job) }
                finish(finished.result)
            }
        )
    }
}
