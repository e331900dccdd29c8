internal import TextModel
public import NIOCore

/// Bytes in, whole messages out, wherever the bytes were split.
///
/// ```swift
/// assembler.append(&chunk)
/// while let message = try assembler.next() { … }
/// ```
///
/// A payload byte is copied once, from the chunk it came in to the message's own buffer, so no receive buffer outlives
/// the loop above. That buffer grows with what has come and not with what was announced: it holds less than twice the
/// bytes received so far, unless the message before it was larger. Frames of one stream are of a size, so what the last
/// one took is reserved for the next at once, or its very memory is used again (``reclaim(_:)``). A caller that stops
/// calling ``next()`` keeps the chunks it appended, and what it gave back.
public struct MessageAssembler: Sendable {
    /// What a message may announce; a change holds from the next header on.
    public var limits: WireLimits

    /// Bytes received and not parsed yet.
    private var chunk = ByteBuffer()
    /// What has come of the header that is next.
    private var head = ByteBuffer()
    /// The header of the message that is coming in.
    private var header: MessageHeader?
    /// What has come of its payload.
    private var payload = ByteBuffer()
    /// How much memory the last payload took that came whole.
    private var lastCapacity = 0
    /// A payload that was read and given back, for its memory.
    private var spare: ByteBuffer?
    /// Bytes discarded so far of the payload that is coming in; `nil` if it is kept.
    private var discardedByteCount: Int?
    /// Why the stream cannot be followed any further.
    private var failure: WireError?

    /// An assembler at the start of a stream.
    public init(limits: WireLimits = WireLimits()) {
        self.limits = limits
    }

    /// Whether the stream may end here: nothing of a further message has come.
    public var isBetweenMessages: Bool {
        self.header == nil && self.head.readableBytes == 0 && self.chunk.readableBytes == 0
    }

    /// Bytes of memory reserved for the payload that is coming in.
    package var reservedByteCount: Int { self.payload.capacity }

    /// Bytes of memory held for what has come, and for what will.
    package var heldByteCount: Int {
        self.payload.capacity + self.chunk.readableBytes + (self.spare?.capacity ?? 0)
    }

    /// The mistake that explains why the stream failed, where one is recognised.
    package private(set) var mistake: FramingMistake?

    /// The header of the message that is coming in, once it is whole.
    package var incoming: MessageHeader? { self.header }

    /// Lets go of the payload that is coming in: what has come of it, and the rest as it comes.
    ///
    /// The message still comes out of ``next()`` when its last byte is there, with no payload, and says so.
    package mutating func discardIncoming() {
        guard self.header != nil, self.discardedByteCount == nil else { return }
        self.discardedByteCount = self.payload.readableBytes
        self.payload = ByteBuffer()
        self.spare = nil
        self.lastCapacity = 0
    }

    /// Takes in bytes just received.
    ///
    /// - Parameter chunk: The bytes; empty afterwards.
    public mutating func append(_ chunk: inout ByteBuffer) {
        if self.failure == nil {
            if self.chunk.readableBytes == 0 {
                self.chunk = chunk
            } else {
                self.chunk.writeImmutableBuffer(chunk)
            }
        }
        chunk = ByteBuffer()
    }

    /// The next whole message.
    ///
    /// - Returns: `nil` until more bytes are appended.
    /// - Throws: ``WireError`` where a header cannot be followed. Nobody can say where the next message would start, so
    ///   every later call throws the same.
    public mutating func next() throws(WireError) -> Message? {
        if let failure = self.failure { throw failure }
        do throws(WireError) {
            guard let header = try self.nextHeader() else { return nil }
            if let discarded = self.discardedByteCount { return self.discard(header, after: discarded) }
            Self.move(from: &self.chunk, to: &self.payload, upTo: header.payloadByteCount, reserve: self.lastCapacity)
            guard self.payload.readableBytes == header.payloadByteCount else { return nil }
            if header.payloadByteCount > 0 { self.lastCapacity = self.payload.capacity }
            let message = Message(header: header, payload: self.payload)
            self.header = nil
            self.payload = ByteBuffer()
            return message
        } catch {
            self.failure = error
            self.chunk = ByteBuffer()
            throw error
        }
    }

    /// Least size in bytes of a payload that is worth recycling.
    ///
    /// A buffer's size is a power of two, and glibc fetches what is larger than 32 MiB from the system each time and gives
    /// it back at once: at 33 MB that costs ten times as much as the copy. Smaller memory comes back quickly anyway, and is
    /// better not kept by connections that may not send again.
    private static let leastReclaimed = 16 << 20

    /// Recycles the memory of a payload that is no longer needed, for the next message.
    ///
    /// Of large payloads the last one is kept until the next message begins; small ones are freed.
    ///
    /// - Parameter payload: The payload; its memory is used once no other copy of it is left.
    public mutating func reclaim(_ payload: ByteBuffer) {
        if payload.readableBytes > Self.leastReclaimed { self.spare = payload }
    }

    /// Discards the payload of a message that is not needed.
    private mutating func discard(_ header: MessageHeader, after discarded: Int) -> Message? {
        let count = min(header.payloadByteCount - discarded, self.chunk.readableBytes)
        self.chunk.moveReaderIndex(forwardBy: count)
        if self.chunk.readableBytes == 0 { self.chunk = ByteBuffer() }
        self.discardedByteCount = discarded + count
        guard discarded + count == header.payloadByteCount else { return nil }
        self.header = nil
        self.discardedByteCount = nil
        var message = Message(header: header, payload: ByteBuffer())
        message.isDiscarded = true
        return message
    }

    /// The header of the message that is coming in, once it is there.
    private mutating func nextHeader() throws(WireError) -> MessageHeader? {
        if let header = self.header { return header }
        Self.move(from: &self.chunk, to: &self.head, upTo: MessageHeader.byteCount, reserve: MessageHeader.byteCount)
        guard let header = try self.readHeader() else { return nil }
        self.head.clear()
        self.header = header
        if var spare = self.spare, header.payloadByteCount > 0 {
            self.spare = nil
            // Keeps the memory if this is its only owner, and nothing otherwise.
            spare.clear(minimumCapacity: 0)
            // A small message would only keep a large one's memory from its like.
            if spare.capacity / 4 <= header.payloadByteCount { self.payload = spare }
        }
        return header
    }

    /// Reads the header from the bytes collected; where they are none, examines what follows them as well.
    private mutating func readHeader() throws(WireError) -> MessageHeader? {
        do throws(WireError) {
            return try MessageHeader(reading: &self.head, limits: self.limits)
        } catch {
            var start = self.head
            start.writeImmutableBuffer(
                self.chunk.getSlice(
                    at: self.chunk.readerIndex,
                    length: min(self.chunk.readableBytes, FramingMistake.examinedByteCount)
                ) ?? ByteBuffer()
            )
            self.mistake = FramingMistake(start, limit: self.limits.maxMessageBytes)
            _ = try MessageHeader(reading: &start, limits: self.limits)
            throw error
        }
    }

    /// Moves bytes until `target` holds `byteCount` of them or `source` is used up and let go of.
    ///
    /// - Parameters:
    ///   - source: The chunk.
    ///   - target: Grows by doubling, so that a byte is moved again once at most on average.
    ///   - byteCount: What `target` is to hold.
    ///   - reserve: What may be reserved at once, whether it has come or not.
    private static func move(
        from source: inout ByteBuffer,
        to target: inout ByteBuffer,
        upTo byteCount: Int,
        reserve: Int
    ) {
        let count = min(byteCount - target.readableBytes, source.readableBytes)
        guard count > 0 else { return }
        let needed = target.readableBytes + count
        if target.capacity < needed {
            target.reserveCapacity(min(byteCount, max(needed, 2 * target.capacity, reserve)))
        }
        source.readWithUnsafeReadableBytes { bytes in
            target.writeBytes(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        }
        if source.readableBytes == 0 { source = ByteBuffer() }
    }
}
