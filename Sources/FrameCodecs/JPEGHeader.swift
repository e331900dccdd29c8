internal import GlyphwireProtocol

/// What a JPEG says of itself before its first scan: enough to refuse it before anything is allocated for it.
struct JPEGHeader {
    private(set) var width = 0
    private(set) var height = 0
    /// 1 is gray; 3 a colour picture; 4 an ink picture (CMYK or YCCK).
    private(set) var componentCount = 0
    private(set) var isProgressive = false
    /// Of the first EXIF block that has one.
    private(set) var orientation: Orientation?
    /// Blocks of 8 x 8 samples in all components.
    private var blockCount = 0
    /// Where the data of the first scan begins.
    private var scanOffset = 0

    /// Reads the markers of `bytes` up to the first scan.
    ///
    /// - Throws: `jpegCorrupt` if they are not those of a JPEG, `jpegUnsupported` for a process other than 8-bit baseline,
    ///   extended or progressive Huffman coding.
    init(of bytes: PeerBytes) throws(WireError) {
        guard bytes.number(UInt16.self, at: 0) == 0xFFD8 else { throw Self.notAJPEG(bytes) }
        var offset = 2
        while true {
            let marker = try Self.nextMarker(of: bytes, at: &offset)
            switch marker {
            case JPEGMarker.endOfImage:
                throw WireError(jpegFlaw: "it ends before its first scan")
            case JPEGMarker.temporary, JPEGMarker.restarts:
                continue
            default:
                break
            }
            guard
                let length = bytes.number(UInt16.self, at: offset), length >= 2,
                let segment = bytes[offset + 2..<offset + Int(length)]
            else {
                throw WireError(jpegFlaw: "the segment at byte \(offset) goes past the end")
            }
            offset += Int(length)
            switch marker {
            case JPEGMarker.startOfScan:
                guard self.componentCount > 0 else { throw WireError(jpegFlaw: "a scan comes before its size") }
                self.scanOffset = offset
                return
            case JPEGMarker.application1 where self.orientation == nil:
                self.orientation = Orientation(exif: segment)
            case JPEGMarker.frames where !JPEGMarker.isTable(marker):
                try self.read(frame: segment, marker: marker)
            default:
                break
            }
        }
    }

    /// The next marker's second byte; `offset` moves past it.
    private static func nextMarker(of bytes: PeerBytes, at offset: inout Int) throws(WireError) -> UInt8 {
        guard bytes[offset] == 0xFF else { throw WireError(jpegFlaw: "no marker stands at byte \(offset)") }
        // Any number of fill bytes may stand in front of a marker (T.81, B.1.1.2).
        while bytes[offset] == 0xFF { offset += 1 }
        guard let marker = bytes[offset], marker != 0 else {
            throw WireError(jpegFlaw: "no marker stands at byte \(offset)")
        }
        offset += 1
        return marker
    }

    /// Reads the frame header, where the size stands.
    private mutating func read(frame: PeerBytes, marker: UInt8) throws(WireError) {
        guard self.componentCount == 0 else { throw WireError(jpegFlaw: "it has two frame headers") }
        guard
            let precision = frame[0],
            let height = frame.number(UInt16.self, at: 1),
            let width = frame.number(UInt16.self, at: 3),
            let componentCount = frame[5],
            frame.count == 6 + 3 * Int(componentCount)
        else {
            throw WireError(jpegFlaw: "its frame header is not as long as it says")
        }
        if let process = JPEGMarker.unreadProcess(of: marker) {
            throw WireError(
                .jpegUnsupported,
                "the JPEG uses \(process); send a baseline or progressive JPEG with Huffman coding"
            )
        }
        guard precision == 8 else {
            throw WireError(.jpegUnsupported, "the JPEG has \(precision) bits a sample; send one of 8")
        }
        guard [1, 3, 4].contains(componentCount) else {
            throw WireError(
                .jpegUnsupported,
                "the JPEG has \(componentCount) components; send one of 1 (gray), 3 (colour) or 4 (CMYK)"
            )
        }
        guard height != 0 else {
            throw WireError(
                .jpegUnsupported,
                "the JPEG leaves its height to be told after its first scan; send it with the height in its header"
            )
        }
        self.width = Int(width)
        self.height = Int(height)
        self.componentCount = Int(componentCount)
        self.isProgressive = marker == JPEGMarker.progressiveFrame
        try self.countBlocks(of: frame)
    }

    private mutating func countBlocks(of frame: PeerBytes) throws(WireError) {
        var (widest, tallest) = (1, 1)
        for component in 0..<self.componentCount {
            let (horizontal, vertical) = Self.sampling(of: component, in: frame)
            guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
                throw WireError(jpegFlaw: "a sampling factor is not 1...4")
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

    /// Refuses a picture that its scans cannot hold, and one that has too many of them.
    ///
    /// The shortest Huffman code is a bit. A baseline block has at least two (its DC value and the end of its block), a
    /// progressive one has one in the first scan of its component. So an announcement of millions of pixels costs its
    /// sender their bits, or nothing is allocated for it.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limit: How many scans are read.
    /// - Throws: `jpegCorrupt`, or `jpegUnsupported` for more scans than `limit`.
    func checkScans(of bytes: PeerBytes, limit: Int) throws(WireError) {
        let byteCount = bytes.count - self.scanOffset
        guard byteCount * 8 >= self.blockCount * (self.isProgressive ? 1 : 2) else {
            throw WireError(
                jpegFlaw: "\(byteCount) bytes of scans cannot hold \(self.width)x\(self.height) pixels"
            )
        }
        let scanCount = self.scanCount(in: bytes)
        guard scanCount <= limit else {
            throw WireError(
                .jpegUnsupported,
                "the JPEG has \(scanCount) scans, the limit is \(limit); send it with fewer, encoders make about 10"
            )
        }
    }

    /// How many scans there are up to the end of the picture, behind which anything may follow.
    private func scanCount(in bytes: PeerBytes) -> Int {
        var count = 1
        var offset = self.scanOffset
        while let place = bytes.firstIndex(of: 0xFF, from: offset), let marker = bytes[place + 1] {
            switch marker {
            case JPEGMarker.endOfImage:
                return count
            case 0xFF:
                offset = place + 1
            case JPEGMarker.stuffing, JPEGMarker.temporary, JPEGMarker.restarts:
                offset = place + 2
            default:
                count += marker == JPEGMarker.startOfScan ? 1 : 0
                offset = place + 2 + Int(bytes.number(UInt16.self, at: place + 2) ?? 0)
            }
        }
        return count
    }

    private static func notAJPEG(_ bytes: PeerBytes) -> WireError {
        if let format = PictureFormat(of: bytes) {
            return WireError(
                .jpegCorrupt,
                "the payload is a \(format.rawValue) file; send a JPEG or use another frame format"
            )
        }
        return WireError(.jpegCorrupt, "the payload does not begin with FF D8, as a JPEG does; send the whole file")
    }
}

extension WireError {
    /// That a JPEG is not whole, with what shows it.
    init(jpegFlaw flaw: String) {
        self.init(.jpegCorrupt, "the JPEG is damaged or cut off (\(flaw)); send the whole file as it was made")
    }
}
