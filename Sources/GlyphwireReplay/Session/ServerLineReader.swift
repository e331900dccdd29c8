internal import GlyphwireClient
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Reader of results in a file of lines, as written with `--results`.
struct ServerLineReader {
    private let file: File
    private var splitter = LineSplitter(maxLineBytes: 64 << 20)
    private var lineNumber = 0

    /// Opens the file at `path`.
    init(path: String) throws(ReplayError) {
        self.file = try File(reading: path)
    }

    /// Returns the next result; `nil` after the last.
    mutating func nextResult() throws(ReplayError) -> FrameResult? {
        while true {
            do {
                while let line = try self.splitter.next() {
                    self.lineNumber += 1
                    if case .result(let result) = try ServerLine(json: line) { return result }
                }
            } catch {
                throw ReplayError(
                    .unreadable,
                    "line \(self.lineNumber) of \(self.file.path) is not a server line (\(error)); give a file that "
                        + "glyphwire-replay run --results wrote"
                )
            }
            let chunk = try self.file.bytes(atMost: 1 << 20)
            if chunk.readableBytes == 0 { return nil }
            self.splitter.append(chunk)
        }
    }
}
