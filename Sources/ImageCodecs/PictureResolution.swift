/// Resolution of a picture in pixels an inch.
package struct PictureResolution: Sendable, Hashable {
    /// Unit of length in which a file states a resolution, with the pixels an inch of one pixel for each.
    enum Unit: Double {
        case inch = 1
        case centimetre = 2.54
        case metre = 0.0254
    }

    /// Resolutions that scanners have; by 72, files say that theirs is not known (EXIF 2.32, tag XResolution).
    private static let credible = 75.0...4800
    /// Ratios of the longer to the shorter side of pixels that are made square.
    ///
    /// Those of faxes are 2.1 (204 x 98) and 1.9 (204 x 391), and 1.04 of most (204 x 196). More are a mistake in the file.
    private static let unevenRatios: ClosedRange<Float> = 1.5...4

    /// Columns of the stored picture an inch.
    package let horizontal: Float
    /// Rows of the stored picture an inch.
    package let vertical: Float

    /// Width of a pixel divided by its height; 1 where the difference does not count, or is not credible.
    package var pixelAspectRatio: Float {
        let ratio = self.vertical / self.horizontal
        return Self.unevenRatios.contains(max(ratio, 1 / ratio)) ? ratio : 1
    }

    /// Creates a resolution from pixels for each `unit`; `nil` if it is not credible.
    init?(horizontal: Double, vertical: Double, each unit: Unit) {
        let values = [horizontal, vertical].map { $0 * unit.rawValue }
        guard values.allSatisfy(Self.credible.contains) else { return nil }
        (self.horizontal, self.vertical) = (Float(values[0]), Float(values[1]))
    }

    /// Creates the resolution in a JPEG's JFIF header; `nil` if there is no credible one.
    ///
    /// - Parameter segment: The payload of an APP0 segment, without its marker and length.
    init?(jfif segment: PeerBytes) {
        guard segment.has("JFIF\0"), let horizontal = segment.number(UInt16.self, at: 8),
            let vertical = segment.number(UInt16.self, at: 10)
        else { return nil }
        let unit: Unit
        switch segment[7] {
        case 1: unit = .inch
        case 2: unit = .centimetre
        default: return nil
        }
        self.init(horizontal: Double(horizontal), vertical: Double(vertical), each: unit)
    }

    /// Creates the resolution in the chunk `pHYs` of a PNG; `nil` if there is no credible one.
    init?(png file: PeerBytes) {
        guard let chunk = file.pngChunk("pHYs"), let horizontal = chunk.number(UInt32.self, at: 0),
            let vertical = chunk.number(UInt32.self, at: 4), chunk[8] == 1
        else { return nil }
        self.init(horizontal: Double(horizontal), vertical: Double(vertical), each: .metre)
    }
}
