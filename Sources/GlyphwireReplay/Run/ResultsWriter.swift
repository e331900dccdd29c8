internal import NIOCore
internal import NIOPosix

/// Writer of received lines to a file, in large chunks and off the tasks' threads.
///
/// The file has its path once it is finished.
struct ResultsWriter {
    private static let pieceByteCount = 256 << 10

    private let file: OutputFile
    private var buffer = ByteBuffer()
    private var byteCount = 0

    init(path: String, apartFrom inputs: [String]) throws(ReplayError) {
        self.file = try OutputFile(path: path, apartFrom: inputs)
    }

    mutating func write(_ line: ByteBuffer) async throws {
        self.buffer.writeImmutableBuffer(line)
        self.buffer.writeInteger(UInt8(ascii: "\n"))
        if self.buffer.readableBytes >= Self.pieceByteCount { try await self.flush() }
    }

    mutating func finish() async throws {
        try await self.flush()
        try await self.finishFile()
    }

    /// Keeps the lines up to an error; without any, what the path had before stays.
    mutating func keep() async {
        try? await self.flush()
        if self.byteCount > 0 { try? await self.finishFile() }
    }

    private func finishFile() async throws {
        try await NIOThreadPool.singleton.runIfActive { [file = self.file] in try file.finish() }
    }

    private mutating func flush() async throws {
        let (file, piece) = (self.file, self.buffer)
        self.buffer = ByteBuffer()
        try await NIOThreadPool.singleton.runIfActive { try file.append(piece) }
        self.byteCount += piece.readableBytes
    }
}
