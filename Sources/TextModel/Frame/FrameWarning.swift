/// Irregularity of a frame that did not keep it from being read.
public struct FrameWarning: Sendable, Hashable {
    /// Kind of irregularity.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code on the wire.
        public let rawValue: String

        /// Creates a code, which may be one of a newer server.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Stray bytes precede a marker of the JPEG.
        public static let jpegStrayBytes = Code(rawValue: "jpeg_stray_bytes")
        /// The JPEG has all of its blocks, but no end marker.
        public static let jpegNoEnd = Code(rawValue: "jpeg_no_end")
        /// The JPEG has no Huffman tables, and the standard ones were used.
        public static let jpegNoTables = Code(rawValue: "jpeg_no_tables")
        /// The JPEG's header has an invalid value without effect on decoding.
        public static let jpegOddHeader = Code(rawValue: "jpeg_odd_header")
        /// The JPEG is damaged from ``FrameWarning/row`` on; the rows above were read.
        public static let jpegDamaged = Code(rawValue: "jpeg_damaged")
        /// The frame was scanned for text at ``FrameWarning/scale`` of the usual size.
        ///
        /// Its smallest text may be lost.
        public static let reducedDetection = Code(rawValue: "reduced_detection")
        /// The file has ``FrameWarning/pages`` pages, and the first one was read.
        public static let firstPageOnly = Code(rawValue: "first_page_only")

        /// All codes that this version's server sends.
        public static let known: [Code] = [
            .jpegStrayBytes, .jpegNoEnd, .jpegNoTables, .jpegOddHeader, .jpegDamaged, .reducedDetection,
            .firstPageOnly,
        ]
    }

    /// Kind of the irregularity.
    public let code: Code
    /// First damaged row of the frame as sent; `nil` for codes that are not about rows.
    public let row: Int?
    /// Factor by which the frame's sides were scaled; `nil` for codes that are not about scale.
    public let scale: Double?
    /// Number of pages in the file; `nil` for codes that are not about pages.
    public let pages: Int?

    /// Creates a warning with the values that its code needs.
    public init(_ code: Code, row: Int? = nil, scale: Double? = nil, pages: Int? = nil) {
        self.code = code
        self.row = row
        self.scale = scale
        self.pages = pages
    }
}

extension FrameWarning: CustomStringConvertible {
    /// A sentence that describes the irregularity to a person.
    public var description: String {
        switch self.code {
        case .jpegStrayBytes: "the JPEG has bytes in front of a marker; they were skipped"
        case .jpegNoEnd: "the JPEG has no end marker; the picture is complete"
        case .jpegNoTables: "the JPEG has no Huffman tables; the standard ones were used"
        case .jpegOddHeader: "the JPEG's header has an invalid value; it has no effect"
        case .jpegDamaged: "the JPEG is damaged from row \(self.row ?? 0) on; the rows above were read"
        case .reducedDetection:
            "the picture is large and was scanned at \(self.scale ?? 1) of its size; small text in it may be missed"
        case .firstPageOnly:
            "the file has \(self.pages ?? 0) pages, and the first one was read; split it to read the others"
        default: self.code.rawValue
        }
    }
}
