internal import TextModel

/// Directory of a TIFF structure: of a TIFF or BigTIFF file, or of the EXIF block of another picture.
///
/// Its offsets are untrusted: every read is checked, and a lookup follows one of them at most.
struct TIFFDirectory {
    private enum Tag {
        static let subfileType = 0x00FE
        static let orientation = 0x0112
        static let horizontalResolution = 0x011A
        static let verticalResolution = 0x011B
        static let resolutionUnit = 0x0128
        static let subdirectories = 0x014A
    }

    private enum ValueType {
        static let short = 3
        static let long = 4
        static let rational = 5
    }

    /// Bits of the subfile type for a smaller copy of another page and for a mask (TIFF 6.0, section 8).
    private static let noPage = 0b101

    private let numbers: TIFFNumbers
    private let entryCount: Int
    /// Where the entries begin.
    let start: Int

    /// Finds the first directory of a structure; `nil` if there is none.
    init?(_ bytes: PeerBytes) {
        guard let numbers = TIFFNumbers(bytes), let place = numbers.firstDirectory else { return nil }
        self.init(numbers, at: place)
    }

    /// Finds the first directory of the EXIF chunk of a PNG or WebP, in which some encoders keep the prefix of a JPEG's segment.
    init?(exifChunk data: PeerBytes) {
        guard let directory = TIFFDirectory(exif: data) ?? TIFFDirectory(data) else { return nil }
        self = directory
    }

    /// Finds the first directory of a JPEG's EXIF block; `nil` if `segment` is none.
    ///
    /// - Parameter segment: The payload of an APP1 segment, without its marker and length.
    init?(exif segment: PeerBytes) {
        guard segment.has("Exif\0"), let structure = segment[min(6, segment.count)..<segment.count] else { return nil }
        self.init(structure)
    }

    private init?(_ numbers: TIFFNumbers, at place: Int) {
        guard place < numbers.bytes.count, let count = numbers.entryCount(at: place) else { return nil }
        self.numbers = numbers
        // No more than there are bytes, so that no place of an entry overflows.
        self.entryCount = min(count, numbers.bytes.count)
        self.start = place + numbers.countByteCount
    }

    /// Orientation of the picture; `nil` without a valid one.
    var orientation: Orientation? {
        guard let value = self.integer(Tag.orientation), let number = UInt8(exactly: value) else { return nil }
        return Orientation(rawValue: number)
    }

    /// Resolution of the picture; `nil` without a credible one.
    var resolution: PictureResolution? {
        guard let horizontal = self.rational(Tag.horizontalResolution),
            let vertical = self.rational(Tag.verticalResolution)
        else { return nil }
        // Inches are the default; 1 says that the unit is not known (TIFF 6.0, section 8).
        switch self.integer(Tag.resolutionUnit) ?? 2 {
        case 2: return PictureResolution(horizontal: horizontal, vertical: vertical, each: .inch)
        case 3: return PictureResolution(horizontal: horizontal, vertical: vertical, each: .centimetre)
        default: return nil
        }
    }

    /// Whether the directory has others, beside those that follow it (TIFF/EP).
    var hasSubdirectories: Bool { self.entry(Tag.subdirectories) != nil }

    /// Whether the directory is that of a page.
    ///
    /// Entries ascend by their tags, of which this is the lowest: another one in front of it is not searched through.
    var isPage: Bool {
        guard self.entryCount > 0, self.numbers.short(self.start) == Tag.subfileType,
            let type = self.integer(at: self.start)
        else { return true }
        return type & Self.noPage == 0
    }

    /// The directory that follows; `nil` behind the last one.
    var next: TIFFDirectory? {
        let end = self.start + self.entryCount * self.numbers.entryByteCount
        guard let place = self.numbers.offset(end), place > 0 else { return nil }
        return TIFFDirectory(self.numbers, at: place)
    }

    /// The only value of a tag, if it is a whole number.
    private func integer(_ tag: Int) -> Int? {
        guard let entry = self.entry(tag) else { return nil }
        return self.integer(at: entry)
    }

    private func integer(at entry: Int) -> Int? {
        guard let type = self.numbers.short(entry + 2), self.numbers.offset(entry + 4) == 1 else { return nil }
        let value = entry + 4 + self.numbers.offsetByteCount
        switch type {
        case ValueType.short: return self.numbers.short(value)
        case ValueType.long: return self.numbers.long(value)
        default: return nil
        }
    }

    /// The only value of a tag, if it is a fraction.
    private func rational(_ tag: Int) -> Double? {
        guard let entry = self.entry(tag), self.numbers.short(entry + 2) == ValueType.rational,
            self.numbers.offset(entry + 4) == 1
        else { return nil }
        let field = entry + 4 + self.numbers.offsetByteCount
        // The eight bytes of a fraction have room in an entry of a BigTIFF only.
        guard let place = self.numbers.isBig ? field : self.numbers.offset(field),
            let numerator = self.numbers.long(place), let denominator = self.numbers.long(place + 4), denominator > 0
        else { return nil }
        return Double(numerator) / Double(denominator)
    }

    /// Where the entry of a tag is; `nil` without one.
    private func entry(_ tag: Int) -> Int? {
        for index in 0..<self.entryCount {
            let entry = self.start + index * self.numbers.entryByteCount
            guard let found = self.numbers.short(entry) else { return nil }
            if found == tag { return entry }
        }
        return nil
    }
}

/// Numbers of a TIFF structure, which has an order of bytes and a width of offsets.
private struct TIFFNumbers {
    let bytes: PeerBytes
    private let isLittleEndian: Bool
    /// Whether offsets and counts have 64 bits, as in a BigTIFF.
    let isBig: Bool

    /// Creates the numbers of `bytes`; `nil` if they are no TIFF structure.
    init?(_ bytes: PeerBytes) {
        self.bytes = bytes
        if bytes.has("II") {
            self.isLittleEndian = true
        } else if bytes.has("MM") {
            self.isLittleEndian = false
        } else {
            return nil
        }
        switch bytes.number(UInt16.self, at: 2, littleEndian: self.isLittleEndian) {
        case 42: self.isBig = false
        case 43: self.isBig = true
        default: return nil
        }
    }

    var offsetByteCount: Int { self.isBig ? 8 : 4 }
    /// Bytes of the number of entries, in front of them.
    var countByteCount: Int { self.isBig ? 8 : 2 }
    /// Bytes of an entry: its tag and type, the number of its values, and the value or its offset.
    var entryByteCount: Int { 4 + 2 * self.offsetByteCount }
    var firstDirectory: Int? { self.offset(self.isBig ? 8 : 4) }

    func entryCount(at place: Int) -> Int? { self.isBig ? self.offset(place) : self.short(place) }

    func short(_ place: Int) -> Int? {
        self.bytes.number(UInt16.self, at: place, littleEndian: self.isLittleEndian).map(Int.init)
    }

    func long(_ place: Int) -> Int? {
        self.bytes.number(UInt32.self, at: place, littleEndian: self.isLittleEndian).map(Int.init)
    }

    /// The offset or count at a place; `nil` of one that no file has.
    func offset(_ place: Int) -> Int? {
        guard self.isBig else { return self.long(place) }
        return self.bytes.number(UInt64.self, at: place, littleEndian: self.isLittleEndian).flatMap(Int.init(exactly:))
    }
}
