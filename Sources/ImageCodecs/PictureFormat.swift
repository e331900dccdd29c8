/// Picture file format that is read, identified by the first bytes.
enum PictureFormat: String {
    case jpeg = "JPEG"
    case png = "PNG"
    case gif = "GIF"
    case webP = "WebP"
    case tiff = "TIFF"
    case bmp = "BMP"

    /// Identifies the format of `bytes`; `nil` if it is another one.
    init?(of bytes: PeerBytes) {
        switch bytes.number(UInt32.self, at: 0) {
        case .some(0xFFD8_0000...0xFFD8_FFFF): self = .jpeg
        case 0x8950_4E47: self = .png
        case 0x4749_4638: self = .gif
        case 0x5249_4646 where bytes.has("WEBP", at: 8): self = .webP
        // The second pair begins a BigTIFF.
        case 0x4949_2A00, 0x4D4D_002A, 0x4949_2B00, 0x4D4D_002B: self = .tiff
        case .some(0x424D_0000...0x424D_FFFF): self = .bmp
        default: return nil
        }
    }
}
