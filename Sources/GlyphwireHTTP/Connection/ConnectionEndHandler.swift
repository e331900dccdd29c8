internal import NIOCore
internal import NIOHTTP1

/// Channel handler that closes connections after the response as the client's HTTP version requires.
///
/// An HTTP/1.0 client expects the connection to close unless it sends `keep-alive` (RFC 9112, section 9.3), does not
/// support chunks (section 7.1), and does not wait for `100 Continue` (RFC 9110, section 10.1.1).
final class ConnectionEndHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Request that is not answered yet.
    private struct OpenRequest {
        let isOld: Bool
        /// Whether later handlers close the connection after the response.
        let isLast: Bool
        /// Whether this handler must close it, because nothing else ends the response.
        var hasNoEnd = false
    }

    /// Whether the connection is beyond the limit and closes after its first response.
    private let isRefused: Bool
    private var openRequests = CircularBuffer<OpenRequest>()

    init(isRefused: Bool = false) { self.isRefused = isRefused }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = self.unwrapInboundIn(data)
        guard case .head(var head) = part else {
            // The body of a refused request is not read; a client that sends all of it first gets the response after it.
            if case .body = part, self.isRefused { return }
            return context.fireChannelRead(data)
        }
        let options = Set(head.headers[canonicalForm: "connection"].map { $0.lowercased() })
        let isLast = self.isRefused || options.contains("close") || head.isOld && !options.contains("keep-alive")
        self.openRequests.append(OpenRequest(isOld: head.isOld, isLast: isLast))
        if head.isOld { head.headers.remove(name: "Expect") }
        // With this value Hummingbird closes the connection after the response.
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

    /// Sets the response's framing and its `Connection` header.
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
