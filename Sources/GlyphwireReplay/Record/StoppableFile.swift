internal import NIOCore

/// File that ends when a signal is given, even while it waits for bytes.
struct StoppableFile {
    /// Interval at which the signal is checked while there are no bytes.
    private static let pollMilliseconds: Int32 = 200

    let file: File
    let stop: StopSignal

    /// Reads the next bytes, up to `byteCount`.
    ///
    /// - Returns: The bytes; empty at the end.
    func bytes(atMost byteCount: Int) throws(ReplayError) -> ByteBuffer {
        while !self.stop.isStopped {
            if self.file.isReady(within: Self.pollMilliseconds) { return try self.file.bytes(atMost: byteCount) }
        }
        return ByteBuffer()
    }
}
