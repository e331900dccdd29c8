internal import TextModel

/// Header of a JPEG up to its first scan: enough to reject it before any memory is allocated.
struct JPEGHeader {
    private(set) var width = 0
    private(set) var height = 0
    /// Number of colour components: 1 for gray, 3 for colour, 4 for CMYK or YCCK.
    private(set) var componentCount = 0
    /// Whether libjpeg keeps all coefficients, of two bytes each, until the last scan is read.
    ///
    /// Those of a progressive JPEG, and of any other whose first scan leaves components to later ones.
    private(set) var isBuffered = false
    /// Orientation in the first EXIF block that has one.
    private(set) var orientation: Orientation?
    /// Credible resolution in the first JFIF header or EXIF block that has one.
    private(set) var resolution: PictureResolution?
    private var isProgressive = false
    /// Number of 8 x 8 blocks in all components.
    private var blockCount = 0
    /// Offset of the start marker; earlier bytes are not part of the picture.
    let start: Int
    /// Offset of the first scan's data.
    private var scanOffset = 0

    /// Longest side that libjpeg decodes (`JPEG_MAX_DIMENSION`).
    static let maxSide = 65500

    /// Format of the decoded pixels.
    var pixelFormat: PixelFormat { self.componentCount == 1 ? .gray : .bgra }

    /// Parses the markers of `bytes` up to the first scan.
    ///
    /// - Throws: `jpegCorrupt` if they are not those of a JPEG, `jpegUnsupported` for a process other than 8-bit
    ///   baseline, extended or progressive Huffman coding.
    init(of bytes: PeerBytes) throws(CodecError) {
        guard let start = bytes.jpegStart else { throw Self.notAJPEG(bytes) }
        self.start = start
        var offset = start + 2
        while true {
            let marker = try Self.nextMarker(of: bytes, at: &offset)
            switch marker {
            case JPEGMarker.endOfImage:
                throw CodecError(jpegFlaw: "it ends before its first scan")
            case JPEGMarker.startOfImage:
                throw CodecError(jpegFlaw: "another one begins before its first scan")
            case JPEGMarker.temporary, JPEGMarker.restarts:
                continue
            default:
                if let process = JPEGMarker.unreadProcess(of: marker) { throw Self.unread(process) }
            }
            guard
                let length = bytes.number(UInt16.self, at: offset), length >= 2,
                let segment = bytes[offset + 2..<offset + Int(length)]
            else {
                throw CodecError(jpegFlaw: "the segment at byte \(offset) goes past the end")
            }
            offset += Int(length)
            switch marker {
            case JPEGMarker.startOfScan:
                guard self.componentCount > 0 else { throw CodecError(jpegFlaw: "a scan comes before its size") }
                self.isBuffered = self.isProgressive || Int(segment[0] ?? 0) < self.componentCount
                self.scanOffset = offset
                return
            case JPEGMarker.application0 where self.resolution == nil:
                self.resolution = PictureResolution(jfif: segment)
            case JPEGMarker.application1:
                let directory = TIFFDirectory(exif: segment)
                self.orientation = self.orientation ?? directory?.orientation
                self.resolution = self.resolution ?? directory?.resolution
            case JPEGMarker.frames where !JPEGMarker.isTable(marker):
                try self.read(frame: segment, marker: marker)
            default:
                break
            }
        }
    }

    /// Returns the next marker's second byte and moves `offset` past it.
    ///
    /// Some cameras leave bytes between segments. Like libjpeg, this skips to an FF that is followed by neither FF nor
    /// 00.
    private static func nextMarker(of bytes: PeerBytes, at offset: inout Int) throws(CodecError) -> UInt8 {
        while let place = bytes.firstIndex(of: 0xFF, from: offset) {
            offset = place
            // Any number of fill bytes may precede a marker (T.81, B.1.1.2).
            while bytes[offset] == 0xFF { offset += 1 }
            guard let marker = bytes[offset] else { break }
            offset += 1
            if marker != JPEGMarker.stuffing { return marker }
        }
        throw CodecError(jpegFlaw: "it ends before its first scan")
    }

    /// Parses the frame header, which holds the size.
    private mutating func read(frame: PeerBytes, marker: UInt8) throws(CodecError) {
        guard self.componentCount == 0 else { throw CodecError(jpegFlaw: "it has two frame headers") }
        guard
            let precision = frame[0],
            let height = frame.number(UInt16.self, at: 1),
            let width = frame.number(UInt16.self, at: 3),
            let componentCount = frame[5],
            frame.count == 6 + 3 * Int(componentCount)
        else {
            throw CodecError(jpegFlaw: "its frame header does not have the length it states")
        }
        guard precision == 8 else {
            throw CodecError(.jpegUnsupported, "the JPEG has \(precision) bits a sample; send one of 8")
        }
        guard [1, 3, 4].contains(componentCount) else {
            throw CodecError(
                .jpegUnsupported,
                "the JPEG has \(componentCount) components; send one of 1 (gray), 3 (colour) or 4 (CMYK)"
            )
        }
        guard height != 0 else {
            throw CodecError(
                .jpegUnsupported,
                "the JPEG gives its height only after its first scan; encode it with the height in its header"
            )
        }
        self.width = Int(width)
        self.height = Int(height)
        self.componentCount = Int(componentCount)
        self.isProgressive = marker == JPEGMarker.progressiveFrame
        try self.countBlocks(of: frame)
    }

    private mutating func countBlocks(of frame: PeerBytes) throws(CodecError) {
        var (widest, tallest) = (1, 1)
        for component in 0..<self.componentCount {
            let (horizontal, vertical) = Self.sampling(of: component, in: frame)
            guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
                throw CodecError(jpegFlaw: "a sampling factor is not 1...4")
            }
            (widest, tallest) = (max(widest, horizontal), max(tallest, vertical))
        }
        for component in 0..<self.componentCount {
            let (horizontal, vertical) = Self.sampling(of: component, in: frame)
            let columns = (self.width * horizontal + widest * 8 - 1) / (widest * 8)
            let rows = (self.height * vertical + tallest * 8 - 1) / (tallest * 8)
            self.blockCount += columns * rows
        }
    }

    private static func sampling(of component: Int, in frame: PeerBytes) -> (horizontal: Int, vertical: Int) {
        let factors = Int(frame[7 + 3 * component] ?? 0)
        return (factors >> 4, factors & 0xF)
    }

    /// Maximum number of pixels under `limits`.
    func maxPixels(under limits: PictureLimits) -> Int { self.isBuffered ? limits.maxPixels : limits.maxJPEGPixels }

    /// Whether the picture has no more pixels than `limits` allow.
    func fits(_ limits: PictureLimits) -> Bool { self.width <= self.maxPixels(under: limits) / self.height }

    /// Rejects a picture with too little scan data for its size, or with too many scans.
    ///
    /// The shortest Huffman code is one bit. A baseline block has at least two codes (its DC value and the end of its
    /// block), a progressive one has one in the first scan of its component. A header that announces millions of pixels
    /// must therefore come with enough bits for them before any memory is allocated.
    ///
    /// - Parameters:
    ///   - scans: The result of ``scans(of:)``.
    ///   - limit: Maximum number of scans.
    ///   - damaged: Whether a sixteenth of the picture is enough.
    /// - Throws: `jpegCorrupt`, or `jpegUnsupported` for more scans than `limit`.
    func check(_ scans: JPEGScans, limit: Int, damaged: DamagedFrames) throws(CodecError) {
        let byteCount = scans.end - self.scanOffset
        let minBitCount = self.blockCount * (self.isProgressive ? 1 : 2)
        let isPartlyReadable = byteCount * 8 >= minBitCount / 16
        guard damaged == .read ? isPartlyReadable : byteCount * 8 >= minBitCount else {
            throw CodecError(
                jpegFlaw: "\(byteCount) bytes of scans cannot hold \(self.width)x\(self.height) pixels",
                isPartlyReadable: isPartlyReadable
            )
        }
        guard scans.count <= limit else {
            throw CodecError(
                .jpegUnsupported,
                "the JPEG has \(scans.count) scans, the limit is \(limit); send one with fewer; encoders write about 10"
            )
        }
    }

    /// Finds the scans of `bytes`, the file of this header.
    func scans(of bytes: PeerBytes) -> JPEGScans { JPEGScans(of: bytes, from: self.scanOffset) }

    private static func unread(_ process: String) -> CodecError {
        CodecError(
            .jpegUnsupported,
            "the JPEG uses \(process); send a baseline or progressive JPEG with Huffman coding"
        )
    }

    private static func notAJPEG(_ bytes: PeerBytes) -> CodecError {
        let picture = PictureFormat(of: bytes).map { "a \($0.rawValue) file" }
        if let name = picture ?? ForeignFormat(of: bytes)?.rawValue {
            return CodecError(.jpegCorrupt, "the payload is \(name); send a JPEG or use another frame format")
        }
        return CodecError(.jpegCorrupt, "the payload does not begin with FF D8, as a JPEG does; send the whole file")
    }
}

extension CodecError {
    /// Creates the error for a damaged JPEG from its first flaw.
    ///
    /// - Parameters:
    ///   - flaw: The flaw.
    ///   - isPartlyReadable: Whether the rows above it can be read, if there are any.
    init(jpegFlaw flaw: String, isPartlyReadable: Bool = false) {
        let remedy =
            isPartlyReadable
            ? #"use the whole file, or set "damaged":"read" (--damaged read) to read what is above the damage"#
            : "use the whole, undamaged file"
        self.init(.jpegCorrupt, "the JPEG is damaged or cut off (\(flaw)); \(remedy)")
    }
}
