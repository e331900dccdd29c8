package import NIOCore

/// Splitter of a motion JPEG stream into whole JPEG files, wherever its chunks were split.
///
/// It follows the markers and the lengths of their segments, so a thumbnail inside a segment does not end a frame. Data
/// between two files, such as the headers of a multipart stream, is skipped. A frame that is cut off or exceeds the
/// limit is dropped and counted. The search for the next one starts where it broke: inside the last segment, since its
/// length may be wrong, unless that segment type can contain thumbnails.
package struct MJPEGSplitter {
    /// Parser state at ``position``.
    private enum Place {
        /// Searching for the start of a file.
        case outside
        /// A marker, or fill bytes before it.
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
    /// Bytes from the start of the incoming frame.
    private var pending = ByteBuffer()
    private var place = Place.outside
    /// Offset in ``pending`` up to which it is parsed; beyond its end if a segment is incomplete.
    private var position = 0
    /// Offset in ``pending`` at which the search for the next file starts if this one is cut off.
    private var resumption = 0
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
            let isStuck: Bool
            switch self.place {
            case .outside: isStuck = !self.findStart()
            case .scan: isStuck = !self.findMarker()
            case .marker:
                switch self.readMarker() {
                case .end(let length):
                    self.place = .outside
                    self.position = 0
                    if length <= self.maxFrameBytes { return self.pending.readSlice(length: length) }
                    self.pending.moveReaderIndex(forwardBy: length)
                    self.droppedFrames += 1
                    isStuck = false
                case .more: isStuck = false
                case .missing: isStuck = true
                case .broken:
                    self.drop()
                    isStuck = false
                }
            }
            guard isStuck else { continue }
            if case .outside = self.place { return nil }
            if self.pending.readableBytes <= self.maxFrameBytes, !self.isFinished { return nil }
            self.drop()
        }
    }

    private enum MarkerResult {
        /// The frame ends with this number of bytes.
        case end(Int)
        /// The element is parsed, and ``position`` is after it.
        case more
        /// The element is incomplete.
        case missing
        /// The element is invalid at this place.
        case broken
    }

    private mutating func readMarker() -> MarkerResult {
        guard let first = self.byte(at: self.position), let second = self.byte(at: self.position + 1) else {
            return .missing
        }
        guard first == 0xFF else { return .broken }
        switch second {
        case 0xFF:
            self.position += 1
            return .more
        case 0xD9:
            return .end(self.position + 2)
        case 0x01, 0xD0...0xD7:
            self.position += 2
            return .more
        case 0x00, 0xD8:
            return .broken
        default:
            guard
                let length = self.pending.getInteger(
                    at: self.pending.readerIndex + self.position + 2,
                    as: UInt16.self
                )
            else { return .missing }
            self.resumption = self.position + 2
            guard length >= 2, length != Self.startOfImage else { return .broken }
            let mayHoldThumbnail = (0xE0...0xEF).contains(second)
            self.position += 2 + Int(length)
            if mayHoldThumbnail { self.resumption = self.position }
            self.place = second == 0xDA ? .scan : .marker
            return .more
        }
    }

    /// Moves to the next marker of a scan and returns whether there is one.
    private mutating func findMarker() -> Bool {
        while let place = self.firstByte(0xFF, from: self.position) {
            self.position = place
            switch self.byte(at: place + 1) {
            case .none: return false
            case .some(0x00), .some(0xD0...0xD7): self.position = place + 2
            case .some(0xFF): self.position = place + 1
            case .some:
                self.place = .marker
                self.resumption = place
                return true
            }
        }
        self.position = max(self.position, self.pending.readableBytes)
        return false
    }

    /// Moves to the start of a file and returns whether there is one.
    private mutating func findStart() -> Bool {
        while let place = self.firstByte(0xFF, from: 0) {
            self.pending.moveReaderIndex(forwardBy: place)
            guard let second = self.byte(at: 1) else { return false }
            if second == 0xD8 {
                guard let third = self.byte(at: 2) else { return false }
                if third == 0xFF {
                    self.position = 2
                    self.resumption = 2
                    self.place = .marker
                    return true
                }
            }
            self.pending.moveReaderIndex(forwardBy: 1)
        }
        self.pending.clear()
        return false
    }

    private mutating func drop() {
        self.droppedFrames += 1
        self.pending.moveReaderIndex(forwardBy: min(max(self.resumption, 2), self.pending.readableBytes))
        self.place = .outside
        self.position = 0
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
