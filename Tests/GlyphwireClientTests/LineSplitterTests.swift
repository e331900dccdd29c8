import NIOCore
import Testing

@testable import GlyphwireClient

@Suite struct LineSplitterTests {
    private static let stream = "{\"a\":1}\n\n{\"b\":\"é\"}\nlast without an end"
    private static let lines = ["{\"a\":1}", "", "{\"b\":\"é\"}"]

    @Test func linesComeWholeFromEverySplit() throws {
        let bytes = Array(Self.stream.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var splitter = LineSplitter(maxLineBytes: 100)
                var lines: [String] = []
                for chunk in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    splitter.append(ByteBuffer(bytes: chunk))
                    while let line = try splitter.next() { lines.append(String(buffer: line)) }
                }
                #expect(lines == Self.lines)
            }
        }
    }

    @Test func linesComeWholeByteByByte() throws {
        var splitter = LineSplitter(maxLineBytes: 100)
        var lines: [String] = []
        for byte in Self.stream.utf8 {
            splitter.append(ByteBuffer(integer: byte))
            while let line = try splitter.next() { lines.append(String(buffer: line)) }
        }
        #expect(lines == Self.lines)
    }

    @Test func lineOfExactlyTheLimitIsTaken() throws {
        var splitter = LineSplitter(maxLineBytes: 4)
        splitter.append(ByteBuffer(string: "abcd"))
        #expect(try splitter.next() == nil)
        splitter.append(ByteBuffer(string: "\n"))
        #expect(try splitter.next() == ByteBuffer(string: "abcd"))
    }

    @Test(arguments: ["abcde", "abcde\n", "ok\nabcde\n"])
    func longerLineIsRefusedWholeOrNot(text: String) {
        var splitter = LineSplitter(maxLineBytes: 4)
        splitter.append(ByteBuffer(string: text))
        #expect(throws: GlyphwireClientError(.lineTooLong, "")) {
            while try splitter.next() != nil {}
        }
    }

    @Test func heldLinesAreNotChangedByLaterBytes() throws {
        var splitter = LineSplitter(maxLineBytes: 100)
        splitter.append(ByteBuffer(string: "first\nsec"))
        let first = try splitter.next()
        #expect(try splitter.next() == nil)
        splitter.append(ByteBuffer(string: "ond\n"))
        let second = try splitter.next()
        #expect(first == ByteBuffer(string: "first"))
        #expect(second == ByteBuffer(string: "second"))
    }
}
