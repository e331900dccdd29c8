internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import TextRecognition

/// Parser from messages to the requests of a ``ConnectionStateMachine``.
struct RequestParser: Sendable {
    private let limits: WireLimits
    private let defaults: StreamConfiguration
    private let engine: any ReadingEngine

    /// Creates a parser for the messages of one server.
    ///
    /// - Parameters:
    ///   - limits: The limits of frames and `configure` bodies.
    ///   - defaults: The default options.
    ///   - engine: The engine, which validates reading options.
    init(limits: WireLimits, defaults: StreamConfiguration, engine: any ReadingEngine) {
        self.limits = limits
        self.defaults = defaults
        self.engine = engine
    }

    /// Parses a message.
    ///
    /// - Parameters:
    ///   - message: The message as received.
    ///   - arrival: The time of receipt.
    ///   - receivedMicroseconds: The same time on the wall clock, since 1970.
    /// - Returns: The request, or the error that answers the message.
    func request(
        of message: Message,
        arrival: FrameArrival,
        receivedMicroseconds: @autoclosure () -> UInt64
    ) -> ConnectionStateMachine.Request {
        let header = message.header
        let type: MessageType
        do throws(WireError) {
            type = try header.checkedType()
        } catch {
            // A frame is always answered by a result, even if its flags are invalid.
            return header.type == MessageType.frame.rawValue
                ? .badFrame(header.result(error, arrival)) : .unknown(error)
        }
        switch type {
        case .frame: return self.frame(message, arrival)
        case .configure: return self.configure(message)
        case .ping:
            return .ping(
                Pong(
                    sequence: header.sequence,
                    capturedMicroseconds: header.capturedMicroseconds,
                    receivedMicroseconds: receivedMicroseconds(),
                    sentMicroseconds: 0
                )
            )
        case .stats: return .stats
        case .end: return .end
        }
    }

    private func frame(_ message: Message, _ arrival: FrameArrival) -> ConnectionStateMachine.Request {
        do throws(WireError) {
            guard !message.isDiscarded else { throw .noMemoryForFrame }
            return .frame(try FrameDescription(header: message.header, limits: self.limits))
        } catch {
            return .badFrame(message.header.result(error, arrival))
        }
    }

    private func configure(_ message: Message) -> ConnectionStateMachine.Request {
        do throws(WireError) {
            // The body of one that is too long was not kept.
            try StreamConfiguration.checkLength(message.header.payloadByteCount, limits: self.limits)
            let configuration = try StreamConfiguration(
                json: message.payload,
                limits: self.limits,
                defaults: self.defaults
            )
            try configuration.validate(for: self.engine)
            return .configure(configuration)
        } catch {
            return .badConfiguration(error)
        }
    }
}

extension WireError {
    fileprivate static let noMemoryForFrame = WireError(
        .overloaded,
        "the server has no memory for this frame now; send fewer or smaller ones"
    )
}

extension MessageHeader {
    /// Result of a frame with this header that was rejected before it reached the queue.
    fileprivate func result(_ error: WireError, _ arrival: FrameArrival) -> FrameResult {
        FrameResult(
            sequence: self.sequence,
            capturedMicroseconds: self.capturedMicroseconds,
            outcome: .error(error),
            ageMilliseconds: arrival.ageMilliseconds(at: arrival.time),
            timings: FrameTimings()
        )
    }
}
