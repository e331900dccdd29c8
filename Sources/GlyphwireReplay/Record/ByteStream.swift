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

extension File: ByteStream {}

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
