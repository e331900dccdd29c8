internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// A camera on the web at a loopback address, which answers requests with the bytes of a test's script.
package final class StubCamera: Sendable {
    /// Request of a client.
    package struct Request: Sendable {
        /// Index among all requests to the camera.
        package let index: Int
        /// Index among the requests of its connection.
        package let indexOfConnection: Int
        /// Path and query.
        package let path: String
        /// Value of the header `Authorization`; `nil` without one.
        package let authorization: String?
    }

    /// Part of an answer.
    package enum Action: Sendable {
        case send([UInt8])
        /// Goes on with the next action when the pause has ended.
        case wait(Pause)
        /// Closes the connection once all is sent.
        case close

        /// A whole answer, which keeps the connection.
        ///
        /// - Parameters:
        ///   - status: The code and its name.
        ///   - headers: Further headers, each with its value.
        ///   - body: The content.
        /// - Returns: The action.
        package static func answer(_ status: String = "200 OK", headers: [String] = [], body: [UInt8] = []) -> Action {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
            return .send(Array(lines.map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8) + body)
        }

        /// The head of a motion JPEG stream, whose parts follow.
        package static let streamHead = Self.head(["Content-Type: multipart/x-mixed-replace;boundary=frame"])

        /// The head of an answer of unknown length, which ends with the connection.
        package static func head(_ headers: [String]) -> Action {
            .send(Array((["HTTP/1.1 200 OK"] + headers).map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8))
        }

        /// A part of a motion JPEG stream, behind a boundary.
        package static func part(_ jpeg: [UInt8]) -> Action {
            .send(
                Array("\r\n--frame\r\nContent-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\n\r\n".utf8) + jpeg
            )
        }
    }

    /// Pause of a camera, which a test ends.
    package final class Pause: Sendable {
        private let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)

        package init() {}

        deinit { self.end() }

        package func end() { self.promise.succeed() }

        fileprivate func whenEnded(_ body: @escaping @Sendable () -> Void) {
            self.promise.futureResult.whenComplete { _ in body() }
        }
    }

    /// Answers to a request.
    package typealias Script = @Sendable (Request) -> [Action]

    package let port: Int
    private let received: NIOLockedValueBox<[Request]>

    private init(port: Int, received: NIOLockedValueBox<[Request]>) {
        (self.port, self.received) = (port, received)
    }

    /// The requests so far.
    package var requests: [Request] { self.received.withLockedValue(\.self) }

    /// Runs `body` with a camera on a free port, which accepts no more connections afterwards.
    @discardableResult
    package static func run<Value>(
        _ script: @escaping Script,
        _ body: (StubCamera) async throws -> Value
    ) async throws -> Value {
        let received = NIOLockedValueBox<[Request]>([])
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = StubCameraHandler(script: script, received: received)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let value = try await body(StubCamera(port: listener.localAddress?.port ?? 0, received: received))
            try await listener.close()
            return value
        } catch {
            try await listener.close()
            throw error
        }
    }
}

private final class StubCameraHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let script: StubCamera.Script
    private let received: NIOLockedValueBox<[StubCamera.Request]>
    /// Lines of the incoming request.
    private var text = ""
    private var count = 0

    init(script: @escaping StubCamera.Script, received: NIOLockedValueBox<[StubCamera.Request]>) {
        (self.script, self.received) = (script, received)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.text += String(buffer: self.unwrapInboundIn(data))
        while let end = self.text.firstRange(of: "\r\n\r\n") {
            let request = self.request(self.text[..<end.lowerBound].split(whereSeparator: \.isNewline))
            self.text.removeSubrange(..<end.upperBound)
            self.count += 1
            Self.perform(self.script(request)[...], on: context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func request(_ lines: [Substring]) -> StubCamera.Request {
        let authorization = lines.first { $0.lowercased().hasPrefix("authorization:") }
        return self.received.withLockedValue { received in
            let request = StubCamera.Request(
                index: received.count,
                indexOfConnection: self.count,
                path: String(lines.first?.split(separator: " ").dropFirst().first ?? ""),
                authorization: authorization.map { String($0.drop { $0 != " " }.dropFirst()) }
            )
            received.append(request)
            return request
        }
    }

    private static func perform(_ actions: ArraySlice<StubCamera.Action>, on channel: any Channel) {
        var rest = actions
        while let action = rest.popFirst() {
            switch action {
            case .send(let bytes): channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            case .close:
                let sent: EventLoopFuture<Void> = channel.writeAndFlush(ByteBuffer())
                sent.whenComplete { _ in channel.close(promise: nil) }
            case .wait(let pause):
                let later = rest
                pause.whenEnded { Self.perform(later, on: channel) }
                return
            }
        }
    }
}
