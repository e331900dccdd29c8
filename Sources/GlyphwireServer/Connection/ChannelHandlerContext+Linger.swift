internal import NIOCore

extension ChannelHandlerContext {
    /// Linger time: how long the client can read its last lines after the output is closed.
    ///
    /// Closing while bytes of the client are unread would reset the connection and discard those lines.
    private static let lingerTime = TimeAmount.seconds(2)

    /// Closes the connection after the linger time, unless it closes before.
    func closeAfterLinger() { self.closeIfStillOpen(after: Self.lingerTime) }

    /// Closes the connection after a time, unless it closes before.
    func closeIfStillOpen(after time: TimeAmount) {
        let task = self.eventLoop.assumeIsolated().scheduleTask(in: time) { self.channel.closeSocket() }
        self.channel.closeFuture.assumeIsolated().whenComplete { _ in task.cancel() }
    }

    /// Sends the last line, closes the output, and closes the connection after the linger time.
    ///
    /// If the client has closed its side already, the connection closes with the output.
    func finishOutput(with line: ByteBuffer = ByteBuffer()) {
        self.writeAndFlush(NIOAny(line)).assumeIsolated().whenComplete { _ in
            self.close(mode: .output, promise: nil)
            self.closeAfterLinger()
        }
    }
}
