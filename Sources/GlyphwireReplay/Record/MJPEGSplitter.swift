internal import NIOCore

/// Bytes of a motion JPEG stream in, whole JPEG files out, wherever the bytes were split.
///
/// It follows the markers and the lengths of their segments, so a thumbnail inside a segment ends no frame. What stands
/// between two files, such as the headers of a multipart stream, is passed over. A frame that breaks off, or grows past
/// the limit, is dropped and counted, and the search for the next one starts where it broke: inside the last segment, since
/// its length may be wrong, unless that is one that holds thumbnails.
struct MJPEGSplitter {
    /// What stands at ``position``.
    private enum Place {
        /// Searching for the start of a file.
        case outside
        /// A marker, or the bytes that fill the space before it.
        case marker
        /// Entropy-coded data, which goes on up to the next real marker.
        case scan
    }

    /// A frame's first marker, which no length is taken for.
    ///
    /// Where a length should be, it says that the frame was cut off there and another one begins: a true segment of that
    /// length would be 39 bytes short of the longest there can be.
    private static let startOfImage: UInt16 = 0xFFD8

    private let maxFrameBytes: Int
    /// From the start of the frame that is coming in.
    private var pending = ByteBuffer()
    private var place = Place.outside
    /// How far in ``pending`` everything is understood; past its end where a segment is still to come.
    private var position = 0
    /// Where in ``pending`` the search for the next file starts if this one breaks off.
    private var resumption = 0
    private var isFinished = false
    /// Frames that were begun and not whole.
    private(set) var droppedFrames = 0

    /// A splitter that drops frames of more than `maxFrameBytes`.
    init(maxFrameBytes: Int) {
        self.maxFrameBytes = maxFrameBytes
    }

    /// Takes in bytes just read.
    mutating func append(_ chunk: ByteBuffer) {
        guard self.pending.readableBytes > 0 else {
            self.pending = chunk
            return
        }
        if self.pending.readerIndex > 0 { self.pending = ByteBuffer(bytes: self.pending.readableBytesView) }
        self.pending.writeImmutableBuffer(chunk)
    }

    /// Says that no more bytes come; ``next()`` then gives what whole files are left, and drops what is not whole.
    mutating func finish() {
        self.isFinished = true
    }

    /// The next whole file, `nil` until more bytes are appended.
    mutating func next() -> ByteBuffer? {
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
        /// It ends the frame, which has this many bytes.
        case end(Int)
        /// It is understood, and ``position`` is behind it.
        case more
        /// It is not there yet.
        case missing
        /// No JPEG has it there.
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

    /// Moves to the next marker of a scan; whether there is one.
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

    /// Moves to where a file starts; whether it does.
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
