internal import GlyphwireProtocol
internal import NIOCore

/// Writer of `result` lines as a server sends them, one for each picture, with its name as `picture`.
struct ResultLineWriter: DocumentWriter {
    mutating func write(_ page: Page, into buffer: inout ByteBuffer) {
        LineWriter().write(result: page.result, picture: page.name.isEmpty ? nil : page.name, into: &buffer)
    }
}
