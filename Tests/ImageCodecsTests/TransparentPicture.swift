import CPNG
import ImageCodecs

/// A picture with transparency, drawn by a test.
struct TransparentPicture {
    /// Pixel format of a PNG file.
    enum Kind: CaseIterable {
        case colour, colour16, palette, gray, gray16
    }

    /// A gray level with an alpha.
    struct Ink {
        var colour: (red: UInt8, green: UInt8, blue: UInt8)
        var alpha: UInt8 = 255

        init(_ gray: UInt8, alpha: UInt8 = 255) {
            self.init(red: gray, green: gray, blue: gray, alpha: alpha)
        }

        init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            self.colour = (red, green, blue)
            self.alpha = alpha
        }
    }

    let width: Int
    let height: Int
    /// Red, green, blue and alpha of each pixel.
    private(set) var samples: [UInt8]

    /// Creates a transparent picture.
    init(width: Int = 160, height: Int = 60) {
        (self.width, self.height) = (width, height)
        self.samples = [UInt8](repeating: 0, count: width * height * 4)
    }

    /// Fills a rectangle.
    mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, with ink: Ink) {
        for row in rows {
            for column in columns {
                let start = (row * self.width + column) * 4
                self.samples.replaceSubrange(
                    start..<start + 4,
                    with: [ink.colour.red, ink.colour.green, ink.colour.blue, ink.alpha]
                )
            }
        }
    }

    /// Draws letter-like strokes: vertical bars, 4 pixels wide and 6 apart, each with an outline if there is `edge`.
    mutating func letters(_ columns: Range<Int>, _ rows: Range<Int>, in ink: Ink, edge: Ink? = nil) {
        for column in stride(from: columns.lowerBound, through: columns.upperBound - 8, by: 10) {
            if let edge { self.fill(column..<column + 8, rows.lowerBound - 2..<rows.upperBound + 2, with: edge) }
            self.fill(column + 2..<column + 6, rows, with: ink)
        }
    }

    /// The picture as a PNG file.
    func png(_ kind: Kind = .colour) -> [UInt8] {
        switch kind {
        case .colour: return self.file(self.samples, flags: Self.colour)
        case .colour16: return self.file(self.linear(channels: [0, 1, 2]), flags: Self.colour | Self.linear)
        case .gray: return self.file(self.gray(), flags: Self.alpha)
        case .gray16: return self.file(self.linear(channels: [0]), flags: Self.alpha | Self.linear)
        case .palette: return self.paletteFile()
        }
    }

    private static let alpha = UInt32(PNG_FORMAT_FLAG_ALPHA)
    private static let colour = UInt32(PNG_FORMAT_FLAG_COLOR) | Self.alpha
    private static let linear = UInt32(PNG_FORMAT_FLAG_LINEAR)
    private static let colormap = UInt32(PNG_FORMAT_FLAG_COLORMAP)

    /// Red and alpha of each pixel.
    private func gray() -> [UInt8] {
        var samples: [UInt8] = []
        for start in stride(from: 0, to: self.samples.count, by: 4) {
            samples += [self.samples[start], self.samples[start + 3]]
        }
        return samples
    }

    /// Samples of 16 bits in linear light, premultiplied by alpha, as for libpng; only black and white are unchanged.
    private func linear(channels: [Int]) -> [UInt16] {
        var samples: [UInt16] = []
        for start in stride(from: 0, to: self.samples.count, by: 4) {
            let alpha = UInt16(self.samples[start + 3]) * 257
            for channel in channels { samples.append(self.samples[start + channel] > 127 ? alpha : 0) }
            samples.append(alpha)
        }
        return samples
    }

    private func paletteFile() -> [UInt8] {
        var colours: [[UInt8]] = []
        var indices: [UInt8] = []
        for start in stride(from: 0, to: self.samples.count, by: 4) {
            let colour = Array(self.samples[start..<start + 4])
            if !colours.contains(colour) { colours.append(colour) }
            indices.append(UInt8(colours.firstIndex(of: colour) ?? 0))
        }
        return self.file(indices, flags: Self.colour | Self.colormap, palette: colours)
    }

    private func file<Sample: BitwiseCopyable>(_ samples: [Sample], flags: UInt32, palette: [[UInt8]] = []) -> [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        (image.width, image.height, image.format) = (UInt32(self.width), UInt32(self.height), flags)
        image.colormap_entries = UInt32(palette.count)
        let colours = palette.flatMap(\.self)
        var file = [UInt8](repeating: 0, count: samples.count * MemoryLayout<Sample>.size + 10_000)
        var byteCount = file.count
        guard png_image_write_to_memory(&image, &file, &byteCount, 0, samples, 0, colours) != 0 else { return [] }
        return Array(file.prefix(byteCount))
    }
}
