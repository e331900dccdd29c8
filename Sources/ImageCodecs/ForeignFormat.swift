/// Format of files that are not read, with what their owner can do.
///
/// Commands call the file `FILE`: it may be the body of a request, or have a name that a shell would take apart.
enum ForeignFormat: String {
    case heic = "a HEIC file"
    case avif = "an AVIF file"
    case jpegXL = "a JPEG XL file"
    case jpeg2000 = "a JPEG 2000 file"
    case netpbm = "a Netpbm file"
    case icon = "an icon file"
    case photoshop = "a Photoshop file"
    case svg = "an SVG file"
    case pdf = "a PDF file"
    case raw = "a camera's raw file"
    case video = "a video"
    case archive = "a ZIP archive"
    case gzip = "a gzip file"
    case html = "an HTML page"
    case json = "JSON"
    case base64 = "Base64"
    /// What curl sends for `--data NAME=@FILE`, without the file.
    case formField = "a field of a form"
    case text = "text"

    /// Identifies the format of `bytes`; `nil` if it is not known.
    init?(of bytes: PeerBytes) {
        guard let format = Self(signatureOf: bytes) ?? Self(textOf: bytes) else { return nil }
        self = format
    }

    /// What to do with the file, in a sentence or two.
    var remedy: String {
        switch self {
        case .heic:
            "An iPhone takes JPEGs with Settings > Camera > Formats > Most Compatible. "
                + Self.conversion("heif-convert FILE picture.png")
        case .avif: Self.conversion("heif-convert FILE picture.png")
        case .jpegXL: Self.conversion("djxl FILE picture.png")
        case .jpeg2000, .netpbm, .icon, .photoshop: Self.conversion()
        case .svg: Self.conversion("rsvg-convert --zoom 2 --output picture.png FILE")
        case .pdf: Self.conversion("pdftoppm -r 150 -png FILE page")
        case .raw: "Export it as JPEG first."
        case .video: "Watch it instead: glyphwire watch FILE"
        case .archive, .gzip: "Unpack it first."
        case .html: "The picture in it has an address of its own."
        case .json: "It is no picture itself; over HTTP, /v1/read takes the picture, and /v1/images:annotate JSON."
        case .base64: "Decode it first: the bytes are read for which it stands."
        case .formField: "It has the name of a file; send the file itself, as with: curl --data-binary @FILE"
        case .text: "It is no picture."
        }
    }

    /// Advice to convert a file, by default with ImageMagick.
    static func conversion(_ command: String = "convert FILE picture.png") -> String {
        "Convert it first, for instance with: \(command)"
    }
}

extension ForeignFormat {
    /// Bytes of a packet of MPEG-TS, each of which begins with a sync byte (ISO/IEC 13818-1, 2.4.3.2).
    private static let transportPacketByteCount = 188
    private static let transportSyncByte: UInt8 = 0x47

    /// Identifies the format of `bytes` by a signature; `nil` without one that is known.
    init?(signatureOf bytes: PeerBytes) {
        switch bytes.number(UInt32.self, at: 0) {
        case 0x2550_4446: self = .pdf
        case .some(0xFF0A_0000...0xFF0A_FFFF): self = .jpegXL
        case 0x0000_000C where bytes.has("JXL ", at: 4): self = .jpegXL
        case 0x0000_000C where bytes.has("jP  ", at: 4): self = .jpeg2000
        case 0xFF4F_FF51: self = .jpeg2000
        case .some(0x5031_0000...0x5036_FFFF) where bytes[2].map(Self.isSpace) == true: self = .netpbm
        case 0x0000_0100: self = .icon
        case 0x3842_5053: self = .photoshop
        case 0x504B_0304: self = .archive
        case .some(0x1F8B_0000...0x1F8B_FFFF): self = .gzip
        // Matroska, FLV, an MPEG program stream and AVI.
        case 0x1A45_DFA3, 0x464C_5601, 0x0000_01BA: self = .video
        case 0x5249_4646 where bytes.has("AVI ", at: 8): self = .video
        case .some where bytes.has("ftyp", at: 4): self.init(brandOf: bytes)
        case .some where Self.isTransportStream(bytes): self = .video
        default: return nil
        }
    }

    /// Identifies a file of the ISO base media family by its major brand.
    private init(brandOf bytes: PeerBytes) {
        if bytes.has("avif", at: 8) || bytes.has("avis", at: 8) {
            self = .avif
        } else if bytes.has("hei", at: 8) || bytes.has("hev", at: 8) || bytes.has("mif1", at: 8)
            || bytes.has("msf1", at: 8)
        {
            self = .heic
        } else {
            self = bytes.has("crx ", at: 8) ? .raw : .video
        }
    }

    private static func isTransportStream(_ bytes: PeerBytes) -> Bool {
        (0..<3).allSatisfy { bytes[$0 * Self.transportPacketByteCount] == Self.transportSyncByte }
    }
}

extension ForeignFormat {
    /// Number of bytes by which a text is recognized: as many as stand in front of the first element of an SVG, and more.
    private static let textByteCount = 1024
    /// How pictures of the formats that are read begin in Base64.
    private static let base64Signatures = ["/9j/", "iVBORw0KGgo", "R0lGOD", "UklGR", "SUkqA", "TU0AK"]

    /// Identifies the format of a text; `nil` if `bytes` are none.
    private init?(textOf bytes: PeerBytes) {
        let start = (0..<min(bytes.count, Self.textByteCount)).compactMap { bytes[$0] }
        guard !start.isEmpty, start.allSatisfy({ $0 > 0x1F && $0 != 0x7F || Self.isSpace($0) }) else { return nil }
        let text = String(decoding: start.drop { Self.isSpace($0) }, as: UTF8.self)
        let markup = text.hasPrefix("<") ? text.lowercased() : ""
        if markup.contains("<svg") {
            self = .svg
        } else if markup.contains("<html") || markup.contains("<!doctype html") {
            self = .html
        } else if text.hasPrefix("{") || text.hasPrefix("[") {
            self = .json
        } else if text.hasPrefix("data:") || Self.base64Signatures.contains(where: text.hasPrefix) {
            self = .base64
        } else if !text.unicodeScalars.dropLast().contains("\u{FFFD}") {
            self = text.prefix { !$0.isNewline }.contains("=@") ? .formField : .text
        } else {
            // Only the end of what is examined may be a part of a character: these are no UTF-8.
            return nil
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
}

extension PictureError {
    /// The error of a file of a format that is not read.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - path: The name of the file.
    init(foreign format: ForeignFormat, path: String) {
        self.init(
            .unsupported,
            "\(path) is \(format.rawValue); \(PictureFile.supportedFormats) are read. \(format.remedy)"
        )
    }
}
