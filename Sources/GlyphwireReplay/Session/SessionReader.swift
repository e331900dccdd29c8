package import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Reader of a session, a client's byte stream in a file, message by message.
///
/// The file is not loaded: only a message and a chunk are in memory at a time. A copy of a reader continues from the
/// same place independently.
package struct SessionReader: Sendable {
    /// Ending of a session.
    package enum Ending: Sendable, Equatable {
        /// It ends after a whole message.
        case whole
        /// It ends in the middle of a message, of which there are `byteCount` bytes.
        case truncated(byteCount: Int)
        /// Its bytes from `offset` on are not a valid message.
        case damaged(WireError, offset: Int)
    }

    /// Sessions may hold frames beyond the default limits, which servers reject themselves.
    static let limits = WireLimits(maxMessageBytes: 1 << 30)
    private static let chunkByteCount = 1 << 20

    private let file: File
    private var assembler = MessageAssembler(limits: Self.limits)
    /// Offset of the next message.
    private var offset = 0
    private var byteCount = 0
    /// Ending of the session, once ``next()`` has returned its last message.
    package private(set) var ending: Ending?

    /// Opens the session at `path`.
    package init(path: String) throws(ReplayError) {
        self.file = try File(reading: path)
    }

    /// Returns the next whole message; `nil` after the last.
    package mutating func next() throws(ReplayError) -> Message? {
        while self.ending == nil {
            do throws(WireError) {
                if let message = try self.assembler.next() {
                    self.offset += MessageHeader.byteCount + message.payload.readableBytes
                    return message
                }
            } catch {
                self.ending = .damaged(error, offset: self.offset)
                return nil
            }
            var chunk = try self.file.bytes(atMost: Self.chunkByteCount, at: self.byteCount)
            if chunk.readableBytes == 0 {
                let rest = self.byteCount - self.offset
                self.ending = rest == 0 ? .whole : .truncated(byteCount: rest)
            }
            self.byteCount += chunk.readableBytes
            self.assembler.append(&chunk)
        }
        return nil
    }
}

extension SessionReader.Ending {
    /// Notice about a damaged or truncated session; `nil` if there is none.
    package var notice: String? {
        switch self {
        case .whole:
            nil
        case .truncated(let byteCount):
            "the session is cut off: its last \(byteCount) bytes are not a whole message and were not played"
        case .damaged(let error, let offset):
            "the session is damaged from byte \(offset) on and was played up to there (\(error.message))"
        }
    }
}
