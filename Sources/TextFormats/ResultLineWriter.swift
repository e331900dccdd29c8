internal import GlyphwireProtocol
internal import NIOCore

/// The lines that a server would send, one for each picture of which a frame could be made.
struct ResultLineWriter: DocumentWriter {
    mutating func write(_ page: Page, into buffer: inout ByteBuffer) {
        guard case .result(let result) = page.outcome else { return }
        LineWriter().write(result: result, into: &buffer)
    }
}
