package import NIOCore

/// Splitter of a motion JPEG stream into whole JPEG files, wherever its chunks were split.
///
/// It follows the markers and the lengths of their segments, so a thumbnail inside a segment does not end a frame. Data
/// between two files, such as the headers of a multipart stream, is skipped. Like the decoder, it passes over bytes
/// between segments, if they are few. A frame without an end marker ends with its part where the part has a
/// `Content-Length`, and otherwise when the next frame begins.
///
/// A frame is dropped and counted if it exceeds the limit, or is cut off in its header or by the end of the stream. The
/// search for the next one starts where it broke: inside the last segment, since its length may be wrong, unless that
/// segment type can contain thumbnails.
package struct MJPEGSplitter {
    /// Parser state at ``position``.
    private enum Place {
        /// Searching for the start of a file.
        case outside
        /// A marker, or bytes before it.
        case marker
        /// Entropy-coded data, which extends to the next real marker.
        case scan
    }

    /// First marker of a frame, which is not accepted as a length.
    ///
    /// In place of a length it means that the frame was cut off and another one begins: a real segment of that length
    /// would be 39 bytes short of the maximum.
    private static let startOfImage: UInt16 = 0xFFD8

    /// Maximum length of the header of a scan: of four components (ITU-T T.81, B.2.3).
    private static let maxScanHeaderLength: UInt16 = 14
    /// Maximum number of bytes passed over before a marker: many times what cameras leave there.
    ///
    /// Without a limit, each of many false starts in a table would look for its next marker in all that follows.
    private static let maxGapByteCount = 1024

    private let maxFrameBytes: Int
    /// Bytes from the start of the incoming frame; before one, the last bytes in which its headers may be.
    private(set) var pending = ByteBuffer()
    private var place = Place.outside
    /// Offset in ``pending`` up to which it is parsed; beyond its end if a segment is incomplete.
    private var position = 0
    /// Offset in ``pending`` at which the last segment or scan of the incoming frame ended.
    private var gapStart = 0
    /// Offset in ``pending`` at which the search for the next file starts if this one is cut off.
    private var resumption = 0
    /// Whether a scan of the incoming frame has begun.
    private var hasScan = false
    /// Length of the incoming frame by the headers of its part; `nil` if they do not say, or were wrong.
    private var announcedLength: Int?
    private var lengths = Lengths.credible
    /// Line between the parts of the stream; `nil` if there was none.
    private var delimiter: [UInt8]?
    private var isFinished = false
    /// Number of incomplete frames that were dropped.
    package private(set) var droppedFrames = 0

    /// Creates a splitter that drops frames of more than `maxFrameBytes`.
    package init(maxFrameBytes: Int) {
        self.maxFrameBytes = maxFrameBytes
    }

    /// Appends received bytes.
    package mutating func append(_ chunk: ByteBuffer) {
        guard self.pending.readableBytes > 0 else {
            self.pending = chunk
            return
        }
        if self.pending.readerIndex > 0 { self.pending = ByteBuffer(bytes: self.pending.readableBytesView) }
        self.pending.writeImmutableBuffer(chunk)
    }

    /// Ends the input; ``next()`` then returns the remaining whole files and drops an incomplete one.
    package mutating func finish() {
        self.isFinished = true
    }

    /// Returns the next whole file; `nil` until more bytes are appended.
    package mutating func next() -> ByteBuffer? {
        while true {
            self.checkLastLength()
            let step: Step = if let length = self.lengthOfPart() { .end(length) } else { self.step() }
            switch step {
            case .end(let length):
                if let frame = self.take(length) { return frame }
            case .more: break
            case .broken: self.drop()
            case .missing:
                if case .outside = self.place {
                    self.forgetEarlier()
                    return nil
                }
                if self.pending.readableBytes <= self.maxFrameBytes, !self.isFinished { return nil }
                self.drop()
            }
        }
    }

    private enum Step {
        /// The frame ends with this number of bytes.
        case end(Int)
        /// An element is parsed, and ``position`` is after it.
        case more
        /// The element is incomplete.
        case missing
        /// The element is invalid at this place.
        case broken
    }

    private mutating func step() -> Step {
        switch self.place {
        case .outside: self.findStart()
        case .marker: self.readMarker()
        case .scan: self.findMarker()
        }
    }

    private mutating func readMarker() -> Step {
        let isFound = self.findMarkerByte(within: Self.maxGapByteCount + 1)
        guard self.position - self.gapStart <= Self.maxGapByteCount else { return .broken }
        guard isFound, let second = self.byte(at: self.position + 1) else { return .missing }
        switch second {
        case 0xFF: self.position += 1
        case 0x00, 0x01, 0xD0...0xD7: self.position += 2
        case 0xD8: return self.hasScan ? .end(self.endOfScan(before: self.position)) : .broken
        case 0xD9: return .end(self.position + 2)
        default: return self.readSegment(of: second)
        }
        return .more
    }

    private mutating func readSegment(of marker: UInt8) -> Step {
        let start = self.position + 2
        guard let length = self.pending.getInteger(at: self.pending.readerIndex + start, as: UInt16.self) else {
            return .missing
        }
        self.resumption = start
        let beginsScan = marker == 0xDA
        guard length >= 2, length != Self.startOfImage, !beginsScan || length <= Self.maxScanHeaderLength else {
            return .broken
        }
        self.position = start + Int(length)
        self.gapStart = self.position
        let mayHoldThumbnail = (0xE0...0xEF).contains(marker)
        if mayHoldThumbnail { self.resumption = self.position }
        if beginsScan { (self.place, self.hasScan) = (.scan, true) }
        return .more
    }

    /// Moves to the next marker of a scan.
    private mutating func findMarker() -> Step {
        while self.findMarkerByte() {
            switch self.byte(at: self.position + 1) {
            case .none: return .missing
            case .some(0xFF): self.position += 1
            // Of these, 02 to BF are reserved: they follow half an end marker, and begin no segment.
            case .some(0x00...0xBF), .some(0xD0...0xD7): self.position += 2
            case .some(0xD8): return .end(self.endOfScan(before: self.position))
            case .some:
                (self.place, self.gapStart, self.resumption) = (.marker, self.position, self.position)
                return .more
            }
        }
        return .missing
    }

    /// Moves to the start of a file.
    private mutating func findStart() -> Step {
        while self.findMarkerByte() {
            guard let second = self.byte(at: self.position + 1), let third = self.byte(at: self.position + 2) else {
                return .missing
            }
            if second == 0xD8, third == 0xFF {
                self.begin(at: self.position)
                return .more
            }
            self.position += 1
        }
        return .missing
    }

    /// Drops the bytes that are too far before ``position`` to be headers of the next frame.
    private mutating func forgetEarlier() {
        let surplus = self.position - PartHeaders.maxByteCount
        guard surplus > 0 else { return }
        self.pending.moveReaderIndex(forwardBy: surplus)
        self.position -= surplus
    }

    /// Begins a frame at an offset, before which are the headers of its part.
    private mutating func begin(at start: Int) {
        let earlier = self.pending.readableBytesView.prefix(start).suffix(PartHeaders.maxByteCount)
        let headers = PartHeaders(Array(earlier))
        if self.lengths != .refuted { self.announcedLength = headers.remainingByteCount }
        self.delimiter = headers.delimiter ?? self.delimiter
        self.pending.moveReaderIndex(forwardBy: start)
        (self.place, self.hasScan) = (.marker, false)
        (self.position, self.gapStart, self.resumption) = (2, 2, 2)
    }

    /// Takes a whole frame; `nil` if it exceeds the limit.
    private mutating func take(_ length: Int) -> ByteBuffer? {
        self.endFrame()
        guard length > self.maxFrameBytes else { return self.pending.readSlice(length: length) }
        self.pending.moveReaderIndex(forwardBy: length)
        self.droppedFrames += 1
        return nil
    }

    private mutating func drop() {
        self.endFrame()
        self.droppedFrames += 1
        self.pending.moveReaderIndex(forwardBy: min(max(self.resumption, 2), self.pending.readableBytes))
    }

    private mutating func endFrame() {
        (self.place, self.position, self.announcedLength) = (.outside, 0, nil)
    }

    private func byte(at offset: Int) -> UInt8? {
        self.pending.getInteger(at: self.pending.readerIndex + offset)
    }

    /// Moves to the next `FF`, or else to the end of the bytes, or of as many as are searched.
    ///
    /// - Returns: Whether there is one.
    private mutating func findMarkerByte(within maxByteCount: Int = .max) -> Bool {
        guard self.position < self.pending.readableBytes else { return false }
        let rest = self.pending.readableBytesView.dropFirst(self.position).prefix(maxByteCount)
        let place = rest.firstIndex(of: 0xFF) ?? rest.endIndex
        self.position += place - rest.startIndex
        return place < rest.endIndex
    }
}

// MARK: Parts of a multipart stream

extension MJPEGSplitter {
    /// What is known of the lengths in the headers of a stream.
    private enum Lengths {
        /// None was wrong.
        case credible
        /// The last frame ended with its length, and what follows it has not come.
        case unproven
        /// One was wrong.
        case refuted
    }

    /// The length of the incoming frame, once its part has come whole; `nil` before, and where the headers are wrong.
    private mutating func lengthOfPart() -> Int? {
        guard let length = self.announcedLength, self.pending.readableBytes >= length else { return nil }
        self.announcedLength = nil
        self.lengths = self.lengths(provenAt: length)
        return self.lengths == .refuted ? nil : length
    }

    /// Finds out whether the last frame ended where its part did.
    private mutating func checkLastLength() {
        if self.lengths == .unproven { self.lengths = self.lengths(provenAt: 0) }
    }

    /// What the bytes at an offset prove of the length that ends there: a boundary follows the right one.
    private func lengths(provenAt end: Int) -> Lengths {
        let next = self.pending.readableBytesView.dropFirst(end).drop { $0 == 0x0D || $0 == 0x0A }.prefix(2)
        guard "--".utf8.starts(with: next) else { return .refuted }
        return next.count == 2 ? .credible : .unproven
    }

    /// The end of a frame without an end marker: the boundary before the next frame, if there is one.
    private func endOfScan(before next: Int) -> Int {
        let view = self.pending.readableBytesView
        guard let delimiter = self.delimiter,
            let boundary = view.prefix(next).suffix(PartHeaders.maxByteCount).firstRange(of: delimiter)
        else { return next }
        var end = boundary.lowerBound - view.startIndex
        for lineBreak in [0x0A, 0x0D] as [UInt8] where self.byte(at: end - 1) == lineBreak { end -= 1 }
        return end
    }
}
