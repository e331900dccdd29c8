internal import NIOCore
internal import VideoSources

/// Bytes that are read one after the other.
protocol ByteStream {
    /// Name in errors.
    var path: String { get }

    /// Reads the next bytes, up to `byteCount`.
    ///
    /// - Returns: The bytes; empty at the end.
    func bytes(atMost byteCount: Int) throws(ReplayError) -> ByteBuffer
}

/// File that ends when a signal is given, even while it waits for bytes.
struct StoppableFile: ByteStream {
    /// Interval at which the signal is checked while there are no bytes.
    private static let pollMilliseconds: Int32 = 200

    let file: File
    let stop: StopSignal

    var path: String { self.file.path }

    func bytes(atMost byteCount: Int) throws(ReplayError) -> ByteBuffer {
        while !self.stop.isStopped {
            if self.file.isReady(within: Self.pollMilliseconds) { return try self.file.bytes(atMost: byteCount) }
        }
        return ByteBuffer()
    }
}

/// Standard output of a child process.
struct ProgramOutput: ByteStream {
    let process: ChildProcess

    var path: String { "the output of a program" }

    func bytes(atMost byteCount: Int) throws(ReplayError) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { bytes in
            self.process.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
        return buffer
    }

    /// Ends the program when a signal is given, and with it the output.
    func end(at stop: StopSignal) {
        stop.onStop { [process = self.process] in process.stop() }
    }

    /// Waits for the program to exit after its output was read.
    func finish() throws(ReplayError) {
        do throws(SourceError) {
            try self.process.finish()
        } catch {
            throw ReplayError(error)
        }
    }
}

extension ReplayError {
    /// Creates the error of a video that cannot be recorded.
    init(_ error: SourceError) {
        self.init(error.code == .missingProgram ? .unreadable : .badPicture, error.message)
    }
}
