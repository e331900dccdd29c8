internal import TextModel
public import NIOCore

/// Assembler of whole messages from chunks of bytes, split anywhere.
///
/// ```swift
/// assembler.append(&chunk)
/// while let message = try assembler.next() { … }
/// ```
///
/// A payload byte is copied once, from its chunk to the message's own buffer, so no receive buffer outlives the loop
/// above. That buffer grows with the bytes received and not with the announced length: it holds less than twice the
/// bytes received so far, unless the previous message was larger. Frames of one stream are of similar size, so the
/// capacity of the last one is reserved for the next at once, or its memory is reused (``reclaim(_:)``). A caller that
/// stops calling ``next()`` retains the chunks that it appended and the payload that it reclaimed.
public struct MessageAssembler: Sendable {
    /// Limits on a message; a change applies from the next header on.
    public var limits: WireLimits

    /// Received bytes that are not parsed yet.
    private var chunk = ByteBuffer()
    /// Received bytes of the next header.
    private var head = ByteBuffer()
    /// Header of the incoming message.
    private var header: MessageHeader?
    /// Whether no header has been parsed.
    private var isFirst = true
    /// Received bytes of the incoming payload.
    private var payload = ByteBuffer()
    /// Capacity of the last complete payload's buffer.
    private var lastCapacity = 0
    /// Reclaimed payload, kept for its memory.
    private var spare: ByteBuffer?
    /// Number of discarded bytes of the incoming payload; `nil` if it is kept.
    private var discardedByteCount: Int?
    /// Error after which the stream cannot be parsed any further.
    private var failure: WireError?

    /// Creates an assembler at the start of a stream.
    public init(limits: WireLimits = WireLimits()) {
        self.limits = limits
    }

    /// Whether the stream may end here: no byte of another message has arrived.
    public var isBetweenMessages: Bool {
        self.header == nil && self.head.readableBytes == 0 && self.chunk.readableBytes == 0
    }

    /// Capacity in bytes of the incoming payload's buffer.
    package var reservedByteCount: Int { self.payload.capacity }

    /// Number of bytes of memory held for received and expected data.
    package var heldByteCount: Int {
        self.payload.capacity + self.chunk.readableBytes + (self.spare?.capacity ?? 0)
    }

    /// Mistake that explains why the stream failed; `nil` if none is recognized.
    package private(set) var mistake: FramingMistake?

    /// Header of the incoming message, once it is complete.
    package var incoming: MessageHeader? { self.header }

    /// Discards the incoming payload: its bytes so far, and the rest as they arrive.
    ///
    /// ``next()`` still returns the message after its last byte, without a payload and with ``Message/isDiscarded``
    /// set.
    package mutating func discardIncoming() {
        guard self.header != nil, self.discardedByteCount == nil else { return }
        self.discardedByteCount = self.payload.readableBytes
        self.payload = ByteBuffer()
        self.spare = nil
        self.lastCapacity = 0
    }

    /// Appends received bytes.
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

    /// Returns the next whole message.
    ///
    /// - Returns: `nil` until more bytes are appended.
    /// - Throws: ``WireError`` for an invalid header. The start of the next message is then unknown, so every later
    ///   call throws the same error.
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

    /// Minimum size in bytes of a payload that is recycled.
    ///
    /// A buffer's size is a power of two, and glibc maps blocks above 32 MiB from the system and unmaps them each time:
    /// at 33 MB that costs ten times as much as the copy. Smaller blocks are allocated quickly anyway, and are better
    /// not kept by idle connections.
    private static let minReclaimed = 16 << 20

    /// Recycles the memory of a payload that is no longer needed for the next message.
    ///
    /// The last large payload is kept until the next message begins, or ``releaseSpare()``; small ones are freed.
    ///
    /// - Parameter payload: The payload; its memory is reused only if no other copy of it is left.
    public mutating func reclaim(_ payload: ByteBuffer) {
        if payload.readableBytes > Self.minReclaimed { self.spare = payload }
    }

    /// Whether a recycled payload is kept.
    package var hasSpare: Bool { self.spare != nil }

    /// Frees a recycled payload, which the next message then does not reuse.
    package mutating func releaseSpare() { self.spare = nil }

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
        message.header.payloadByteCount = header.payloadByteCount
        message.isDiscarded = true
        return message
    }

    /// Parses the header of the incoming message; `nil` until it is complete.
    private mutating func nextHeader() throws(WireError) -> MessageHeader? {
        if let header = self.header { return header }
        Self.move(from: &self.chunk, to: &self.head, upTo: MessageHeader.byteCount, reserve: MessageHeader.byteCount)
        guard let header = try self.readHeader() else { return nil }
        self.head.clear()
        self.header = header
        self.isFirst = false
        if var spare = self.spare, header.payloadByteCount > 0 {
            self.spare = nil
            // Keeps the memory if this is its only owner, and frees nothing otherwise.
            spare.clear(minimumCapacity: 0)
            // A small message must not take a large one's memory.
            if spare.capacity / 4 <= header.payloadByteCount { self.payload = spare }
        }
        return header
    }

    /// Reads the header; if its length is not allowed, the bytes after it are examined for a mistake as well.
    private mutating func readHeader() throws(WireError) -> MessageHeader? {
        guard let length = MessageHeader.announcedLength(in: self.head) else { return nil }
        if MessageHeader.isAllowed(length, by: self.limits) { return MessageHeader(reading: &self.head) }
        var start = self.head
        let more = min(self.chunk.readableBytes, FramingMistake.examinedByteCount)
        start.writeImmutableBuffer(self.chunk.getSlice(at: self.chunk.readerIndex, length: more) ?? ByteBuffer())
        self.mistake = FramingMistake(start, limit: self.limits.maxMessageBytes)
        throw MessageHeader.error(of: length, limits: self.limits, mistake: self.mistake, isFirst: self.isFirst)
    }

    /// Moves bytes until `target` holds `byteCount` of them or `source` is used up and released.
    ///
    /// - Parameters:
    ///   - source: The chunk.
    ///   - target: Grows by doubling, so that on average each byte is moved at most once more.
    ///   - byteCount: The final size of `target`.
    ///   - reserve: The capacity that may be reserved before the bytes arrive.
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
