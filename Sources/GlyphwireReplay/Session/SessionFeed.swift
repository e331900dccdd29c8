internal import GlyphwireProtocol
internal import NIOCore
internal import NIOPosix

/// Hands out the messages of a session and reads the next ones meanwhile, so that the disk does not pace the frames.
struct SessionFeed {
    /// Some messages, and where to go on.
    private struct Batch: Sendable {
        var messages: [Message] = []
        var reader: SessionReader
    }

    private static let batchByteCount = 2 << 20

    private var messages: ArraySlice<Message> = []
    private var ahead: Task<Batch, any Error>?
    /// How the session ends, once ``next()`` has given its last message.
    private(set) var ending: SessionReader.Ending?

    /// Starts to read what `reader` has.
    init(_ reader: SessionReader) {
        self.ahead = Self.read(reader)
    }

    /// The next message, `nil` after the last.
    mutating func next() async throws -> Message? {
        while self.messages.isEmpty {
            guard let batch = try await self.ahead?.value else { return nil }
            self.messages = batch.messages[...]
            self.ending = batch.reader.ending
            self.ahead = self.ending == nil ? Self.read(batch.reader) : nil
        }
        return self.messages.removeFirst()
    }

    private static func read(_ reader: SessionReader) -> Task<Batch, any Error> {
        Task {
            try await NIOThreadPool.singleton.runIfActive {
                var batch = Batch(reader: reader)
                var byteCount = 0
                while byteCount < Self.batchByteCount, let message = try batch.reader.next() {
                    batch.messages.append(message)
                    byteCount += message.payload.readableBytes
                }
                return batch
            }
        }
    }
}
