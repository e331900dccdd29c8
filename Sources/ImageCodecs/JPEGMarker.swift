/// The second bytes of JPEG markers (T.81, table B.1).
enum JPEGMarker {
    /// No marker: the byte after an FF in the data of a scan.
    static let stuffing: UInt8 = 0x00
    static let temporary: UInt8 = 0x01
    static let frames: ClosedRange<UInt8> = 0xC0...0xCF
    static let progressiveFrame: UInt8 = 0xC2
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    static let application0: UInt8 = 0xE0
    static let application1: UInt8 = 0xE1

    /// Whether a marker among ``frames`` is a table instead: Huffman, arithmetic conditioning, or reserved.
    static func isTable(_ marker: UInt8) -> Bool { marker == 0xC4 || marker == 0xC8 || marker == 0xCC }

    /// The unsupported coding process that a marker begins; `nil` of any other marker.
    ///
    /// Arithmetic decoding is a build option of libjpeg-turbo. It is rejected in any case, so that all servers behave
    /// alike.
    static func unreadProcess(of marker: UInt8) -> String? {
        switch marker {
        case 0xC3: "lossless coding"
        case 0xC5...0xC7, 0xDE: "hierarchical coding"
        case 0xC9...0xCB, 0xCD...0xCF: "arithmetic coding"
        // SOF55 of T.87.
        case 0xF7: "the coding of JPEG-LS"
        default: nil
        }
    }
}
