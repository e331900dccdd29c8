/// Picture file format, identified by the first bytes; callers decide which of them are supported.
enum PictureFormat: String {
    case jpeg = "JPEG"
    case png = "PNG"
    case gif = "GIF"
    case webP = "WebP"
    case tiff = "TIFF"
    case bmp = "BMP"
    case heic = "HEIC"
    case avif = "AVIF"
    case jpegXL = "JPEG XL"
    case jpeg2000 = "JPEG 2000"
    case pdf = "PDF"

    /// Identifies the format of `bytes`; `nil` if it is unknown.
    init?(of bytes: PeerBytes) {
        switch bytes.number(UInt32.self, at: 0) {
        case .some(0xFFD8_0000...0xFFD8_FFFF): self = .jpeg
        case 0x8950_4E47: self = .png
        case 0x4749_4638: self = .gif
        case 0x5249_4646 where bytes.has("WEBP", at: 8): self = .webP
        // The second pair begins a BigTIFF.
        case 0x4949_2A00, 0x4D4D_002A, 0x4949_2B00, 0x4D4D_002B: self = .tiff
        case .some(0x424D_0000...0x424D_FFFF): self = .bmp
        case 0x2550_4446: self = .pdf
        case .some(0xFF0A_0000...0xFF0A_FFFF): self = .jpegXL
        case 0x0000_000C where bytes.has("JXL ", at: 4): self = .jpegXL
        case 0x0000_000C where bytes.has("jP  ", at: 4): self = .jpeg2000
        case .some where bytes.has("ftyp", at: 4): self.init(brandOf: bytes)
        default: return nil
        }
    }

    /// Identifies a file of the ISO base media family by its major brand.
    private init?(brandOf bytes: PeerBytes) {
        if bytes.has("avif", at: 8) || bytes.has("avis", at: 8) {
            self = .avif
        } else if bytes.has("hei", at: 8) || bytes.has("hev", at: 8) || bytes.has("mif1", at: 8) {
            self = .heic
        } else {
            return nil
        }
    }
}
