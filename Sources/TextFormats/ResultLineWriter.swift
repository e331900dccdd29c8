internal import GlyphwireProtocol
internal import NIOCore

/// Writer of `result` lines as a server sends them, one for each decodable picture.
struct ResultLineWriter: DocumentWriter {
    mutating func write(_ page: Page, into buffer: inout ByteBuffer) {
        guard case .result(let result) = page.outcome else { return }
        LineWriter().write(result: result, into: &buffer)
    }
}
