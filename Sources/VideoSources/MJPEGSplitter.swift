package import NIOCore

/// Splitter of a motion JPEG stream into whole JPEG files, wherever its chunks were split.
///
/// It follows the markers and the lengths of their segments, so a thumbnail inside a segment does not end a frame. Data
/// between two files, such as the headers of a multipart stream, is skipped. Like the decoder, it passes over bytes
/// between segments. A frame without an end marker ends with its part where the part has a `Content-Length`, and
/// otherwise when the next frame begins.
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

    private let maxFrameBytes: Int
    /// Bytes from the start of the incoming frame; before one, the last bytes in which its headers may be.
    private var pending = ByteBuffer()
    private var place = Place.outside
    /// Offset in ``pending`` up to which it is parsed; beyond its end if a segment is incomplete.
    private var position = 0
    /// Offset in ``pending`` at which the search for the next file starts if this one is cut off.
    private var resumption = 0
    /// Whether a scan of the incoming frame has begun.
    private var hasScan = false
    /// Length of the incoming frame by the headers of its part; `nil` if they do not say, or were wrong.
    private var announcedLength: Int?
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
            let step: Step = if let length = self.lengthOfPart() { .end(length) } else { self.step() }
            switch step {
            case .end(let length):
                if let frame = self.take(length) { return frame }
            case .more: break
            case .broken: self.drop()
            case .missing:
                if case .outside = self.place { return nil }
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
        guard let place = self.firstByte(0xFF, from: self.position) else {
            self.position = max(self.position, self.pending.readableBytes)
            return .missing
        }
        self.position = place
        guard let second = self.byte(at: place + 1) else { return .missing }
        switch second {
        case 0xFF: self.position += 1
        case 0x00, 0x01, 0xD0...0xD7: self.position += 2
        case 0xD8: return self.hasScan ? .end(self.endOfScan(before: place)) : .broken
        case 0xD9: return .end(place + 2)
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
        guard length >= 2, length != Self.startOfImage else { return .broken }
        self.position = start + Int(length)
        let mayHoldThumbnail = (0xE0...0xEF).contains(marker)
        if mayHoldThumbnail { self.resumption = self.position }
        if marker == 0xDA { (self.place, self.hasScan) = (.scan, true) }
        return .more
    }

    /// Moves to the next marker of a scan.
    private mutating func findMarker() -> Step {
        while let place = self.firstByte(0xFF, from: self.position) {
            self.position = place
            switch self.byte(at: place + 1) {
            case .none: return .missing
            case .some(0xFF): self.position += 1
            // Of these, 02 to BF are reserved: they follow half an end marker, and begin no segment.
            case .some(0x00...0xBF), .some(0xD0...0xD7): self.position += 2
            case .some(0xD8): return .end(self.endOfScan(before: place))
            case .some:
                self.place = .marker
                self.resumption = place
                return .more
            }
        }
        self.position = max(self.position, self.pending.readableBytes)
        return .missing
    }

    /// Moves to the start of a file.
    private mutating func findStart() -> Step {
        while let place = self.firstByte(0xFF, from: self.position) {
            self.position = place
            guard let second = self.byte(at: place + 1), let third = self.byte(at: place + 2) else { return .missing }
            if second == 0xD8, third == 0xFF {
                self.begin(at: place)
                return .more
            }
            self.position += 1
        }
        self.position = min(self.pending.readableBytes, PartHeaders.maxByteCount)
        self.pending.moveReaderIndex(forwardBy: self.pending.readableBytes - self.position)
        return .missing
    }

    /// Begins a frame at an offset, before which are the headers of its part.
    private mutating func begin(at start: Int) {
        let earlier = self.pending.readableBytesView.prefix(start).suffix(PartHeaders.maxByteCount)
        let headers = PartHeaders(Array(earlier))
        self.announcedLength = headers.remainingByteCount
        self.delimiter = headers.delimiter ?? self.delimiter
        self.pending.moveReaderIndex(forwardBy: start)
        (self.place, self.position, self.resumption, self.hasScan) = (.marker, 2, 2, false)
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

    private func firstByte(_ byte: UInt8, from offset: Int) -> Int? {
        let view = self.pending.readableBytesView
        guard offset < view.count else { return nil }
        let start = view.startIndex
        return view[(start + offset)...].firstIndex(of: byte).map { $0 - start }
    }
}

// MARK: Parts of a multipart stream

extension MJPEGSplitter {
    /// The length of the incoming frame, once its part has come whole; `nil` before, and where the headers are wrong.
    private mutating func lengthOfPart() -> Int? {
        guard let length = self.announcedLength, self.pending.readableBytes >= length else { return nil }
        self.announcedLength = nil
        let next = self.pending.readableBytesView.dropFirst(length).drop { $0 == 0x0D || $0 == 0x0A }
        // A boundary follows, as far as it has come.
        return "--".utf8.starts(with: next.prefix(2)) ? length : nil
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
