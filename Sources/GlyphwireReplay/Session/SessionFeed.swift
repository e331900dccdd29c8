internal import GlyphwireProtocol
internal import NIOCore
internal import NIOPosix

/// Source of a session's messages, preloaded or read ahead, so that the disk does not pace the frames.
struct SessionFeed: Sendable {
    /// Batch of messages, and the reader of the rest.
    struct Batch: Sendable {
        var messages: [Message] = []
        var reader: WindowedReader
    }

    private static let batchByteCount = 2 << 20

    private var messages: ArraySlice<Message> = []
    private var ahead: Task<Batch, any Error>?
    /// Ending of the session, once ``next()`` has returned its last message.
    private(set) var ending: SessionReader.Ending?

    /// Starts to read ahead from `reader`.
    init(_ reader: WindowedReader) {
        self.ahead = Self.read(reader, upTo: Self.batchByteCount)
    }

    /// Creates a feed of messages in memory.
    init(_ batch: Batch) {
        self.messages = batch.messages[...]
        self.ending = batch.reader.ending
    }

    /// Loads all messages of `reader` into memory.
    static func preload(_ reader: WindowedReader) async throws -> Batch {
        try await Self.read(reader, upTo: .max).value
    }

    /// Returns the next message; `nil` after the last.
    mutating func next() async throws -> Message? {
        while self.messages.isEmpty {
            guard let batch = try await self.ahead?.value else { return nil }
            self.messages = batch.messages[...]
            self.ending = batch.reader.ending
            self.ahead = self.ending == nil ? Self.read(batch.reader, upTo: Self.batchByteCount) : nil
        }
        return self.messages.removeFirst()
    }

    private static func read(_ reader: WindowedReader, upTo limit: Int) -> Task<Batch, any Error> {
        Task {
            try await NIOThreadPool.singleton.runIfActive {
                var batch = Batch(reader: reader)
                var byteCount = 0
                while byteCount < limit, let message = try batch.reader.next() {
                    batch.messages.append(message)
                    byteCount += message.payload.readableBytes
                }
                return batch
            }
        }
    }
}
