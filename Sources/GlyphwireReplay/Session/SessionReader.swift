package import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Reads a session, a client's byte stream in a file, message by message.
///
/// The file is not loaded: a message and a chunk are in memory at a time. A copy of a reader reads on from the same place,
/// on its own.
package struct SessionReader: Sendable {
    /// How a session ends.
    package enum Ending: Sendable, Equatable {
        /// With a whole message.
        case whole
        /// In the middle of a message, of which `byteCount` bytes are there.
        case truncated(byteCount: Int)
        /// With bytes that are no message, from `offset` on.
        case damaged(WireError, offset: Int)
    }

    /// Sessions may hold frames that no server takes by default; what it refuses is for it to say.
    static let limits = WireLimits(maxMessageBytes: 1 << 30)
    private static let chunkByteCount = 1 << 20

    private let file: File
    private var assembler = MessageAssembler(limits: Self.limits)
    /// Where the next message begins.
    private var offset = 0
    private var byteCount = 0
    /// How the session ends, once ``next()`` has given its last message.
    package private(set) var ending: Ending?

    /// Opens the session at `path`.
    package init(path: String) throws(ReplayError) {
        self.file = try File(reading: path)
    }

    /// The next whole message, `nil` after the last.
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
    /// What a person should know of it; `nil` if there is nothing to say.
    package var notice: String? {
        switch self {
        case .whole:
            nil
        case .truncated(let byteCount):
            "the session is cut off: its last \(byteCount) bytes are no whole message and were not played"
        case .damaged(let error, let offset):
            "the session is damaged from byte \(offset) on and was played up to there (\(error.message))"
        }
    }
}
