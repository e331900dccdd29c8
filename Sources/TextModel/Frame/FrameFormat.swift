/// Pixel encoding of a frame's payload.
public enum FrameFormat: UInt8, Sendable, CaseIterable {
    /// A JPEG file.
    case jpeg = 1
    /// BGRA rows in one LZ4 block.
    case bgraLZ4Block = 2
    /// Uncompressed BGRA rows.
    case bgra = 3
    /// BGRA rows in the LZ4 frame format.
    case bgraLZ4Frame = 4
    /// Uncompressed rows of one gray byte per pixel.
    case gray = 5
    /// Gray rows in one LZ4 block.
    case grayLZ4Block = 6
}

extension FrameFormat {
    /// Number of bytes per pixel; `nil` for a JPEG.
    public var bytesPerPixel: Int? {
        switch self {
        case .jpeg: nil
        case .bgra, .bgraLZ4Block, .bgraLZ4Frame: 4
        case .gray, .grayLZ4Block: 1
        }
    }

    /// Whether the rows are compressed with LZ4.
    public var isLZ4: Bool {
        switch self {
        case .bgraLZ4Block, .bgraLZ4Frame, .grayLZ4Block: true
        case .jpeg, .bgra, .gray: false
        }
    }
}
