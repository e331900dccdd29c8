internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import TextRecognition

extension ConnectionStateMachine.Request {
    /// Understands a message.
    ///
    /// - Parameters:
    ///   - message: As it came in.
    ///   - server: Which says what can be asked for.
    ///   - arrival: When it came in.
    ///   - receivedMicroseconds: The same time on the wall, since 1970.
    init(
        _ message: Message,
        server: ServerCore,
        arrival: FrameArrival,
        receivedMicroseconds: @autoclosure () -> UInt64
    ) {
        let header = message.header
        let type: MessageType
        do throws(WireError) {
            type = try header.checkedType()
        } catch {
            // A frame is always answered by a result, also when its flags are wrong.
            self =
                header.type == MessageType.frame.rawValue ? .badFrame(header.result(error, arrival)) : .unknown(error)
            return
        }
        switch type {
        case .frame where message.isDiscarded:
            let error = WireError(
                .overloaded,
                "the server has no memory for this frame now; send fewer or smaller ones"
            )
            self = .badFrame(header.result(error, arrival))
        case .frame:
            do throws(WireError) {
                self = .frame(try FrameDescription(header: header, limits: server.configuration.limits.wire))
            } catch {
                self = .badFrame(header.result(error, arrival))
            }
        case .configure:
            do throws(WireError) {
                let configuration = try StreamConfiguration(
                    json: message.payload,
                    limits: server.configuration.limits.wire,
                    defaults: server.configuration.stream
                )
                try configuration.validate(for: server.engine)
                self = .configure(configuration)
            } catch {
                self = .badConfiguration(error)
            }
        case .ping:
            self = .ping(
                Pong(
                    sequence: header.sequence,
                    capturedMicroseconds: header.capturedMicroseconds,
                    receivedMicroseconds: receivedMicroseconds(),
                    sentMicroseconds: 0
                )
            )
        case .stats: self = .stats
        case .end: self = .end
        }
    }
}

extension MessageHeader {
    /// The answer to a frame with this header that was refused before a worker saw it.
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
