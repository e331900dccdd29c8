package import NIOCore

extension Channel {
    /// Closes the socket, on its event loop, without the five seconds that a client would have to end TLS.
    package func closeSocket() {
        // It is between the socket and TLS; without it, TLS has not begun.
        let handler = try? self.pipeline.syncOperations.context(handlerType: WriteStallHandler.self)
        if let handler { handler.close(promise: nil) } else { self.close(promise: nil) }
    }
}
