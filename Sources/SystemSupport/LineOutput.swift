internal import NIOCore

/// Output of lines that stay whole: the rest of one that was begun is written before the next ones.
struct LineOutput {
    private let write: (ByteBuffer) -> OutputResult
    /// Rest of a line that was begun, with its end.
    private var rest = ByteBuffer()

    /// Creates an output.
    ///
    /// - Parameter write: Writes bytes, and blocks until they are taken.
    init(write: @escaping (ByteBuffer) -> OutputResult) {
        self.write = write
    }

    /// Whether a line was begun, and the rest of it not taken.
    var isCut: Bool { self.rest.readableBytes > 0 }

    /// Writes lines behind the rest of one that was begun.
    ///
    /// - Parameter lines: Whole lines, or none.
    /// - Returns: The number of lines of which the output has taken nothing, and why; they are lost.
    mutating func put(_ lines: ByteBuffer) -> (lostCount: Int, failure: OutputResult.Failure?) {
        var bytes = self.rest
        bytes.writeImmutableBuffer(lines)
        let result = self.write(bytes)
        guard let failure = result.failure else {
            self.rest.clear()
            return (0, nil)
        }
        let left = bytes.readableBytesView.dropFirst(result.byteCount)
        // Where nothing was taken, a line was begun before, or none is.
        if let last = bytes.readableBytesView.prefix(result.byteCount).last {
            self.rest = last == .lineFeed ? ByteBuffer() : ByteBuffer(bytes: left.firstLine)
        }
        return (left.lineCount - (self.isCut ? 1 : 0), failure)
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
}

extension ByteBufferView {
    /// Number of lines that end here.
    var lineCount: Int { self.count { $0 == .lineFeed } }

    /// Bytes up to the first line feed, with it.
    fileprivate var firstLine: ByteBufferView { self.firstIndex(of: .lineFeed).map { self[...$0] } ?? self }
}
