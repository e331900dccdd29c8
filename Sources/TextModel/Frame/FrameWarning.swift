/// Something about a frame that was odd, and did not keep it from being read.
public struct FrameWarning: Sendable, Hashable {
    /// What was odd.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// As it stands on the wire.
        public let rawValue: String

        /// A code that may be one of a newer server.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Bytes that belong to nothing stand in front of a marker of the JPEG.
        public static let jpegStrayBytes = Code(rawValue: "jpeg_stray_bytes")
        /// The JPEG has all of its blocks, and no end marker.
        public static let jpegNoEnd = Code(rawValue: "jpeg_no_end")
        /// The JPEG leaves its Huffman tables out, and the standard ones were taken.
        public static let jpegNoTables = Code(rawValue: "jpeg_no_tables")
        /// The JPEG's header has a value that no JPEG may have and that decides nothing.
        public static let jpegOddHeader = Code(rawValue: "jpeg_odd_header")
        /// The JPEG is damaged from ``FrameWarning/row`` on, and was read above it.
        public static let jpegDamaged = Code(rawValue: "jpeg_damaged")
        /// The frame was scanned for text at ``FrameWarning/scale`` of the size at which others are; its smallest text may be
        /// lost.
        public static let reducedDetection = Code(rawValue: "reduced_detection")

        /// All that a server of this version sends.
        public static let known: [Code] = [
            .jpegStrayBytes, .jpegNoEnd, .jpegNoTables, .jpegOddHeader, .jpegDamaged, .reducedDetection,
        ]
    }

    /// What was odd.
    public let code: Code
    /// The first row of the frame as it was sent that cannot be trusted, if the code is about rows.
    public let row: Int?
    /// By what the sides of the frame were multiplied, if the code is about that.
    public let scale: Double?

    /// A warning, with the numbers that belong to its code.
    public init(_ code: Code, row: Int? = nil, scale: Double? = nil) {
        self.code = code
        self.row = row
        self.scale = scale
    }
}

extension FrameWarning: CustomStringConvertible {
    /// What was odd, in a sentence for a person.
    public var description: String {
        switch self.code {
        case .jpegStrayBytes: "the JPEG has bytes in front of a marker that belong to nothing; they were passed over"
        case .jpegNoEnd: "the JPEG has no end marker; nothing of the picture is missing"
        case .jpegNoTables: "the JPEG has no Huffman tables; the standard ones were taken"
        case .jpegOddHeader: "the JPEG's header has a value that no JPEG may have; it decides nothing"
        case .jpegDamaged: "the JPEG is damaged from row \(self.row ?? 0) on; what lies above was read"
        case .reducedDetection:
            "the picture is large and was scanned at \(self.scale ?? 1) of its size; small text in it may be missed"
        default: self.code.rawValue
        }
    }
}
