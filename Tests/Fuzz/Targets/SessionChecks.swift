internal import Foundation
internal import GlyphwireProtocol
internal import GlyphwireReplay
internal import NIOCore

/// A session file yields its messages, and accounts for every byte after them.
func checkSession(_ bytes: [UInt8]) throws(FuzzFinding) {
    var messages = ByteBuffer()
    let ending: SessionReader.Ending?
    do {
        var reader = try SessionReader(path: try SessionFile.shared.hold(bytes))
        while let message = try reader.next() { message.write(into: &messages) }
        ending = reader.ending
    } catch {
        throw FuzzFinding("\(error)")
    }
    try require(bytes.starts(with: messages.readableBytesView), "the messages are not those of the file")
    let rest = bytes.count - messages.readableBytes
    switch ending {
    case .whole: try require(rest == 0, "\(rest) bytes are kept quiet about")
    case .truncated(let byteCount):
        try require(byteCount == rest, "\(byteCount) bytes are said to be cut off of \(rest)")
    case .damaged(let error, let offset):
        try require(offset == messages.readableBytes, "the damage is said to be at \(offset)")
        try require(error.code.isFatal, "\(error.code.rawValue) ends a session")
    case nil: throw FuzzFinding("the session does not end")
    }
}

/// An unnamed file for one session after another.
private struct SessionFile {
    static let shared = SessionFile()

    private let descriptor: Int32

    private init() {
        var name = Array("/tmp/glyphwire-fuzz-XXXXXX".utf8CString)
        self.descriptor = mkstemp(&name)
        unlink(name)
    }

    /// Replaces the content by `bytes` and returns the path.
    func hold(_ bytes: [UInt8]) throws -> String {
        guard ftruncate(self.descriptor, 0) == 0, pwrite(self.descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw FuzzFinding("no file to write to")
        }
        return "/proc/self/fd/\(self.descriptor)"
    }
}
