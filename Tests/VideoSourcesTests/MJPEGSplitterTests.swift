import NIOCore
import Testing

@testable import VideoSources

@Suite struct MJPEGSplitterTests {
    /// A minimal JPEG: markers, segments with `thumbnail` inside, and a scan.
    private static func jpeg(_ number: UInt8, thumbnail: [UInt8] = [], scan: [UInt8] = [1, 2, 3]) -> [UInt8] {
        let segment = [0x45, 0x78, number] + thumbnail
        return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment
            + [0xFF, 0xDA, 0, 3, 7] + scan + [0xFF, 0xD9]
    }

    private static let plain = Self.jpeg(1)
    /// A thumbnail that is a whole JPEG, with an end of its own.
    private static let withThumbnail = Self.jpeg(2, thumbnail: Self.jpeg(9))
    /// Two scans, stuffed bytes, restarts, fill bytes, and a segment ending in `FF` between the scans.
    private static let progressive = Self.jpeg(
        3,
        scan: [
            0xFF, 0x00, 5, 0xFF, 0xD0, 6, 0xFF, 0xD7, 0xFF, 0xFF, 0xC4, 0, 4, 0xD9, 0xFF, 0xFF, 0xDA, 0, 2, 0xFF, 0x00,
        ]
    )

    /// ``plain`` without its end marker.
    private static let endless = Array(Self.plain.dropLast(2))

    /// ``plain`` with bytes between its first segment and its scan.
    private static func plainWith(stray bytes: [UInt8]) -> [UInt8] {
        Array(Self.plain[..<9]) + bytes + Self.plain[9...]
    }

    /// Frames that violate the standard (docs/jpeg.md): without an end marker, or with bytes between segments.
    static let irregular: [[UInt8]] = [
        Self.endless, Self.endless + [0xFF],
        Self.endless + [UInt8](repeating: 0, count: 20), Self.endless + [UInt8](repeating: 0xFF, count: 9),
        Self.plainWith(stray: [0x12, 0x34]), Self.plainWith(stray: [0xFF, 0x00]),
    ]

    private static func part(_ jpeg: [UInt8], header: String = "") -> [UInt8] {
        Array("\r\n--frame\r\nContent-Type: image/jpeg\r\n\(header)\r\n".utf8) + jpeg
    }

    private static func split(_ chunks: [ArraySlice<UInt8>], maxFrameBytes: Int = 1000) -> (
        frames: [[UInt8]], dropped: Int
    ) {
        var splitter = MJPEGSplitter(maxFrameBytes: maxFrameBytes)
        var frames: [[UInt8]] = []
        for chunk in chunks {
            splitter.append(ByteBuffer(bytes: chunk))
            while let frame = splitter.next() { frames.append(Array(frame.readableBytesView)) }
        }
        splitter.finish()
        while let frame = splitter.next() { frames.append(Array(frame.readableBytesView)) }
        return (frames, splitter.droppedFrames)
    }

    @Test func framesComeWholeFromEverySplit() {
        let between = Array("\r\n--boundary\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
        let stream = between + Self.plain + Self.withThumbnail + [0xFF] + between + Self.progressive + between
        for first in 0...stream.count {
            for second in stride(from: first, through: stream.count, by: 3) {
                let (frames, dropped) = Self.split([stream[..<first], stream[first..<second], stream[second...]])
                #expect(frames == [Self.plain, Self.withThumbnail, Self.progressive])
                #expect(dropped == 0)
            }
        }
    }

    @Test func framesComeWholeByteByByte() {
        let stream = Self.withThumbnail + Self.progressive
        #expect(Self.split(stream.indices.map { stream[$0...$0] }).frames == [Self.withThumbnail, Self.progressive])
    }

    @Test(arguments: MJPEGSplitterTests.irregular, [true, false])
    func irregularFramesComeWholeFromEverySplit(frame: [UInt8], hasLength: Bool) {
        let frames = [frame, Self.withThumbnail, frame, Self.plain]
        let stream = frames.flatMap { Self.part($0, header: hasLength ? "content-length: \($0.count)\r\n" : "") }
        for place in 0...stream.count {
            let result = Self.split([stream[..<place], stream[place...]])
            #expect(result.frames == frames, "split at \(place)")
            #expect(result.dropped == 0)
        }
        #expect(Self.split(stream.indices.map { stream[$0...$0] }).frames == frames)
    }

    @Test(arguments: MJPEGSplitterTests.irregular)
    func irregularFramesEndWhereTheNextBegins(frame: [UInt8]) {
        #expect(Self.split([(frame + Self.withThumbnail + frame + Self.plain)[...]]).frames[0] == frame)
    }

    @Test(arguments: MJPEGSplitterTests.irregular)
    func aFrameOfKnownLengthDoesNotWaitForTheNext(frame: [UInt8]) {
        var splitter = MJPEGSplitter(maxFrameBytes: 1000)
        splitter.append(ByteBuffer(bytes: Self.part(frame, header: "Content-Length: \(frame.count)\r\n")))
        let first = splitter.next()
        #expect(first.map { Array($0.readableBytesView) } == frame)
    }

    @Test(arguments: [-19, -5, -1, 7, 500, 4_000_000_000, .max - 100])
    func aWrongLengthIsNotBelieved(difference: Int) {
        let frames = [Self.plain, Self.withThumbnail, Self.progressive, Self.plain]
        let stream = frames.flatMap { Self.part($0, header: "Content-Length: \($0.count + difference)\r\n") }
        #expect(Self.split([stream[...]]).frames == frames)
        for place in 0...stream.count {
            let result = Self.split([stream[..<place], stream[place...]]).frames
            #expect(result.count == frames.count, "split at \(place)")
            #expect(zip(result, frames).count(where: { $0.0 != $0.1 }) <= 1, "split at \(place)")
        }
    }

    @Test func afterAWrongLengthNoneIsBelieved() {
        let frames = [Self.plain, Self.withThumbnail, Self.progressive, Self.plain]
        let parts = frames.map { Self.part($0, header: "Content-Length: \($0.count - 1)\r\n") }
        let result = Self.split(parts.flatMap { [$0.dropLast(), $0.suffix(1)] })
        #expect(result.frames == [Array(Self.plain.dropLast())] + frames.dropFirst())
    }

    @Test func theLengthOfAnotherPartIsNotThatOfThePicture() {
        let report = Array("--frame\r\nContent-Length: 5\r\n\r\nalarm".utf8)
        let stream = report + Self.part(Self.plain) + Self.part(Self.withThumbnail)
        #expect(Self.split([stream[...]]).frames == [Self.plain, Self.withThumbnail])
    }

    @Test func aFrameThatBreaksOffDoesNotHideTheRest() {
        // A truncated length takes up to 64 KiB of the following bytes as its segment.
        let rest = [UInt8](repeating: 0, count: 70_000) + Self.plain + Self.progressive
        for length in 3..<Self.withThumbnail.count {
            let (frames, dropped) = Self.split([(Self.withThumbnail[..<length] + rest)[...]], maxFrameBytes: 100_000)
            #expect(frames.suffix(2) == [Self.plain, Self.progressive], "cut at \(length)")
            // One that is cut off in its scan may be without an end marker, as far as is known here.
            #expect(frames.count + dropped == 3)
        }
    }

    @Test func aFrameThatBreaksOffCostsTheNextAtMost() {
        for length in 10..<Self.plain.count {
            let stream = Self.plain[..<length] + Self.withThumbnail + Self.plain + Self.progressive
            #expect(Self.split([stream[...]]).frames.suffix(2) == [Self.plain, Self.progressive], "cut at \(length)")
        }
    }

    @Test func aFrameCutInsideALengthDoesNotSwallowTheNext() {
        // The next frame's first bytes are in place of the length: 65,496 of the following bytes would be its segment.
        for segment in [[0xFF, 0xE1], [0xFF, 0xDB], [0xFF, 0xDA]] as [[UInt8]] {
            let stream = [0xFF, 0xD8] + segment + Self.withThumbnail + Self.plain
            let (frames, dropped) = Self.split([stream[...]])
            #expect(frames == [Self.withThumbnail, Self.plain])
            #expect(dropped == 1)
        }
    }

    @Test func aFrameCutInsideATableDoesNotHideTheNext() {
        // A table of 600 bytes of which three have arrived; two frames follow inside it, and the stream ends.
        let stream = [0xFF, 0xD8, 0xFF, 0xC4, 2, 88, 1, 2, 3] + Self.plain + Self.withThumbnail
        let (frames, dropped) = Self.split([stream[...]])
        #expect(frames == [Self.plain, Self.withThumbnail])
        #expect(dropped == 1)
    }

    @Test func aStreamThatEndsInAFrameCountsIt() {
        for length in 3..<Self.plain.count {
            let (frames, dropped) = Self.split([(Self.plain + Self.plain[..<length])[...]])
            #expect(frames == [Self.plain])
            #expect(dropped == 1)
        }
    }

    @Test func aFrameBeyondTheLimitIsDropped() {
        let large = Self.jpeg(4, scan: [UInt8](repeating: 8, count: 100))
        for chunkSize in [1, 7, 1000] {
            let stream = large + Self.plain
            let chunks = stride(from: 0, to: stream.count, by: chunkSize).map {
                stream[$0..<min($0 + chunkSize, stream.count)]
            }
            let (frames, dropped) = Self.split(chunks, maxFrameBytes: 50)
            #expect(frames == [Self.plain])
            #expect(dropped == 1)
        }
    }

    @Test func aGapThatIsTooLongBreaksAFrame() {
        let broken = Self.plainWith(stray: [UInt8](repeating: 0, count: 1025))
        let whole = Self.plainWith(stray: [UInt8](repeating: 0, count: 1024))
        let stream = broken + Self.withThumbnail + whole
        for place in stride(from: 0, through: stream.count, by: 7) {
            let (frames, dropped) = Self.split([stream[..<place], stream[place...]], maxFrameBytes: 10_000)
            #expect(frames == [Self.withThumbnail, whole], "split at \(place)")
            #expect(dropped == 1)
        }
    }

    @Test func aHeaderOfAScanThatIsTooLongBreaksAFrame() {
        let stream = [0xFF, 0xD8, 0xFF, 0xDA, 0, 15] + [UInt8](repeating: 1, count: 13) + Self.plain
        let (frames, dropped) = Self.split([stream[...]])
        #expect(frames == [Self.plain])
        #expect(dropped == 1)
    }

    @Test(arguments: [[0xFF], [0, 0xFF], [0, 0xFF, 0xD8]] as [[UInt8]])
    func whatIsNoJPEGIsNotKept(chunk: [UInt8]) {
        var splitter = MJPEGSplitter(maxFrameBytes: 1_000_000)
        for _ in 0..<1000 {
            splitter.append(ByteBuffer(bytes: [[UInt8]](repeating: chunk, count: 100).joined()))
            let frame = splitter.next()
            #expect(frame == nil)
            #expect(splitter.pending.readableBytes < 2048)
        }
    }

    @Test func whatIsNoJPEGIsPassedOver() {
        let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let (frames, dropped) = Self.split([noise[...], [0xFF, 0xD8, 0x00][...], Self.plain[...]])
        #expect(frames == [Self.plain])
        #expect(dropped == 0)
    }
}
