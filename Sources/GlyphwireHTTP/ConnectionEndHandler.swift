internal import NIOCore
internal import NIOHTTP1

/// Closes connections behind the answer as the client's version of HTTP has it.
///
/// A client of HTTP/1.0 waits for the end unless it asks for `keep-alive` (RFC 9112, section 9.3), knows nothing of chunks
/// (section 7.1), and does not wait for `100 Continue` (RFC 9110, section 10.1.1).
final class ConnectionEndHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What is known of a request that is not answered yet.
    private struct OpenRequest {
        let isOld: Bool
        /// Whether the connection is closed behind the answer, by what stands behind this handler.
        let isLast: Bool
        /// Whether this handler must do that, since only the answer has shown the need.
        var hasNoEnd = false
    }

    private var openRequests = CircularBuffer<OpenRequest>()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = self.unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let options = Set(head.headers[canonicalForm: "connection"].map { $0.lowercased() })
        let isOld = head.version.major < 1 || head.version == .http1_0
        let isLast = options.contains("close") || isOld && !options.contains("keep-alive")
        self.openRequests.append(OpenRequest(isOld: isOld, isLast: isLast))
        if isOld { head.headers.remove(name: "Expect") }
        // By this word, and no other, the connection is closed once the answer is written.
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(self.wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !self.openRequests.isEmpty else { return context.write(data, promise: promise) }
        switch self.unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            self.frame(&head)
            context.write(self.wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.write(data, promise: promise)
            if self.openRequests.removeFirst().hasNoEnd {
                context.flush()
                context.close(mode: .output, promise: nil)
            }
        case .head, .body:
            context.write(data, promise: promise)
        }
    }

    /// Has an answer end in a way that its client knows, and say what becomes of the connection.
    private func frame(_ head: inout HTTPResponseHead) {
        var request = self.openRequests.removeFirst()
        if request.isOld {
            head.version = .http1_0
            let hasLength = head.headers.contains(name: "Content-Length") || !head.status.mayHaveResponseBody
            request.hasNoEnd = !hasLength && !request.isLast
        }
        if request.isLast || request.hasNoEnd {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        } else if request.isOld {
            head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
        self.openRequests.prepend(request)
    }
}
