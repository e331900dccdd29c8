internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Messages do not depend on how their bytes are split, take no more memory than received, and are written unchanged.
func checkMessages(_ bytes: [UInt8]) throws(FuzzFinding) {
    var input = FuzzBytes(bytes)
    var limits = WireLimits()
    // A server's lowest limit is one header.
    limits.maxMessageBytes = max(MessageHeader.byteCount, Int(input.number(UInt16.self)))
    var splits = input.array(atMost: 16) { 1 + Int($0.byte()) }
    let stream = input.remaining()
    let whole = Assembly(stream, limits: limits, splits: [stream.count])
    splits.append(max(1, stream.count))
    let split = Assembly(stream, limits: limits, splits: splits)

    try require(whole.messages == split.messages, "the split changes the messages")
    // The advice depends on what was received with the length.
    try require(whole.failure?.code == split.failure?.code, "the split changes the error")
    for assembly in [whole, split] {
        try require(
            assembly.maxReserved <= max(2 * stream.count, 64),
            "\(assembly.maxReserved) bytes are held for \(stream.count) that came"
        )
        try require(
            stream.starts(with: assembly.messages.reduce(into: ByteBuffer()) { $1.write(into: &$0) }.readableBytesView),
            "the messages are not written as they came"
        )
    }
    for message in whole.messages {
        try require(
            message.payload.readableBytes + 28 <= limits.maxMessageBytes,
            "a message of \(message.payload.readableBytes) bytes passes the limit"
        )
        try checkFrame(message.header)
    }
}

/// A header is written as it was parsed, and its frame can be processed.
func checkHeader(_ bytes: [UInt8]) throws(FuzzFinding) {
    var buffer = ByteBuffer(bytes: bytes)
    let header: MessageHeader?
    do throws(WireError) {
        header = try MessageHeader(reading: &buffer, limits: WireLimits())
    } catch {
        try require(error.code.isFatal, "\(error.code.rawValue) leaves the stream without its place")
        try require(error.message.utf8.count <= 512, "an error of \(error.message.utf8.count) bytes")
        return
    }
    guard let header else {
        try require(bytes.count < MessageHeader.byteCount, "a whole header is not read")
        return
    }
    var written = ByteBuffer()
    header.write(into: &written)
    try require(written.readableBytesView.elementsEqual(bytes.prefix(32)), "the header is not written as it came")
    try checkFrame(header)
}

/// A valid frame header is within the limits.
private func checkFrame(_ header: MessageHeader) throws(FuzzFinding) {
    let limits = WireLimits()
    let frame: FrameDescription
    do throws(WireError) {
        guard try header.checkedType() == .frame else { return }
        frame = try FrameDescription(header: header, limits: limits)
    } catch {
        try require(!error.code.isFatal, "\(error.code.rawValue) of one message ends the connection")
        return
    }
    let (fewest, most) = (frame.minimumPixelByteCount, frame.maximumPixelByteCount)
    try require(
        frame.width <= limits.picture.maxSide && frame.height <= limits.picture.maxSide,
        "a side passes the limit"
    )
    let maxPixels = frame.format == .jpeg ? limits.picture.maxJPEGPixels : limits.picture.maxPixels
    try require(frame.width * frame.height <= maxPixels, "the pixels pass the limit")
    try require((0...4 * limits.picture.maxPixels).contains(most), "the rows pass the limit")
    try require((0...most).contains(fewest), "the rows end before they begin")
    guard let bytesPerPixel = frame.format.bytesPerPixel else { return }
    try require(frame.width > 0 && frame.height > 0, "rows without pixels")
    try require(frame.bytesPerRow >= frame.width * bytesPerPixel, "a row is shorter than its pixels")
}

/// Result of an assembler for a stream that is split.
private struct Assembly {
    var messages: [Message] = []
    var failure: WireError?
    var maxReserved = 0

    init(_ stream: [UInt8], limits: WireLimits, splits: [Int]) {
        var assembler = MessageAssembler(limits: limits)
        var rest = stream[...]
        for length in splits where self.failure == nil {
            var chunk = ByteBuffer(bytes: rest.prefix(length))
            rest = rest.dropFirst(length)
            assembler.append(&chunk)
            do throws(WireError) {
                while let message = try assembler.next() { self.messages.append(message) }
            } catch {
                self.failure = error
            }
            self.maxReserved = max(self.maxReserved, assembler.reservedByteCount)
        }
    }
}
