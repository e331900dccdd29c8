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

    /// Columns of the stored picture an inch.
    package let horizontal: Float
    /// Rows of the stored picture an inch.
    package let vertical: Float

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
