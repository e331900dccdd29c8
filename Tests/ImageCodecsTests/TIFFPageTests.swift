import FramePipeline
import ImageCodecs
import TextModel
import Testing

@Suite("Page of a TIFF")
struct TIFFPageTests {
    private enum Tag {
        static let subfileType = 254
        static let (width, height, bits, compression, photometric) = (256, 257, 258, 259, 262)
        static let (offset, samples, rows, byteCount) = (273, 277, 278, 279)
        static let (horizontal, vertical, subdirectories) = (282, 283, 330)
    }

    /// Page of one strip of gray pixels, all of the same brightness.
    private struct GrayPage {
        var width = 8
        var height = 6
        var level: UInt8 = 200
        var isThumbnail = false
        var compression = 1
        var hasPhotometric = true
        /// Columns and rows an inch.
        var resolution: (Int, Int)?
        var hasSubdirectories = false

        var pixels: [UInt8] { [UInt8](repeating: self.level, count: self.width * self.height) }

        func entries(pixelsAt offset: Int) -> [CraftedTIFF.Entry] {
            var entries: [CraftedTIFF.Entry] = [
                .short(Tag.subfileType, self.isThumbnail ? 1 : 0), .short(Tag.width, self.width),
                .short(Tag.height, self.height), .short(Tag.bits, 8), .short(Tag.compression, self.compression),
            ]
            // 1 is black for the least value.
            if self.hasPhotometric { entries.append(.short(Tag.photometric, 1)) }
            entries += [
                .short(Tag.offset, offset), .short(Tag.samples, 1), .short(Tag.rows, self.height),
                .short(Tag.byteCount, self.width * self.height),
            ]
            if let (horizontal, vertical) = self.resolution {
                entries += [.rational(Tag.horizontal, horizontal, 1), .rational(Tag.vertical, vertical, 1)]
            }
            if self.hasSubdirectories { entries.append(.short(Tag.subdirectories, 8)) }
            return entries
        }
    }

    private static func file(_ pages: GrayPage...) throws -> PictureFile {
        let byteCount = CraftedTIFF(directories: pages.map { $0.entries(pixelsAt: 0) }).bytes.count
        var (pixels, directories) = ([UInt8](), [[CraftedTIFF.Entry]]())
        for page in pages {
            directories.append(page.entries(pixelsAt: byteCount + pixels.count))
            pixels += page.pixels
        }
        return try PictureFile(bytes: CraftedTIFF(directories: directories).bytes + pixels, path: "scan.tif")
    }

    @Test("is the first directory that is no smaller copy of another", arguments: [0, 1, 2])
    func thumbnailsAreNotRead(count: Int) throws {
        let thumbnail = GrayPage(width: 4, height: 3, level: 90, isThumbnail: true, resolution: (100, 100))
        let page = GrayPage(resolution: (300, 300))
        let file =
            switch count {
            case 0: try Self.file(page)
            case 1: try Self.file(thumbnail, page)
            default: try Self.file(thumbnail, thumbnail, page)
            }
        let picture = try file.picture().pixels
        #expect((picture.width, picture.height) == (8, 6))
        #expect(picture.bytes == page.pixels)
        #expect(file.pageCount == 1 && file.warnings.isEmpty)
        #expect(file.resolution?.horizontal == 300)
    }

    @Test("behind a smaller copy is one of several, which is said")
    func pagesBehindAThumbnail() throws {
        let thumbnail = GrayPage(width: 4, height: 3, isThumbnail: true)
        let file = try Self.file(thumbnail, GrayPage(), thumbnail, GrayPage(width: 9))
        #expect(try file.picture().pixels.width == 8)
        #expect(file.warnings == [FrameWarning(.firstPageOnly, pages: 2)])
    }

    @Test("is not the preview in a camera's raw file")
    func rawFilesAreRefused() throws {
        let file = try Self.file(GrayPage(width: 4, height: 3, isThumbnail: true, hasSubdirectories: true))
        let error = #expect(throws: PictureError.self) { try file.picture() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("a camera's raw file") == true)
        // A file that has nothing else.
        #expect(try Self.file(GrayPage(width: 4, isThumbnail: true)).picture().pixels.width == 4)
    }

    @Test("of a compression that libtiff does not know is whole, but not read", arguments: [34712, 50002, 33003])
    func unknownCompressionsAreNamed(compression: Int) throws {
        let error = #expect(throws: PictureError.self) { try Self.file(GrayPage(compression: compression)).picture() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("the compression \(compression) is not known") == true)
        // ImageMagick does not know it either.
        #expect(error?.message.contains("convert") == false)
    }

    @Test("may leave open what its samples mean")
    func photometricMayBeMissing() throws {
        let page = GrayPage(hasPhotometric: false)
        let picture = try Self.file(page).picture().pixels
        #expect(picture.format == .gray && picture.bytes == page.pixels)
    }

    @Test(
        "has square pixels when it is read, and its own size",
        arguments: [
            (204, 98, 8, 12), (204, 391, 15, 6), (204, 196, 8, 6), (300, 300, 8, 6), (300, 75, 8, 24), (400, 75, 8, 6),
        ]
    )
    func pixelsAreMadeSquare(horizontal: Int, vertical: Int, width: Int, height: Int) throws {
        let (description, payload) = try Self.file(GrayPage(resolution: (horizontal, vertical))).frame()
        let decoder = FrameDecoder(limits: PictureLimits())
        let (pixels, size) = try decoder.withFrame(description, payload: payload.span.bytes) { frame in
            (PixelBuffer(copying: frame.pixels), [frame.width, frame.height, frame.intactRows])
        }
        #expect((pixels.width, pixels.height) == (width, height))
        #expect(size == [8, 6, 6])
        #expect(pixels.bytes.allSatisfy { $0 == 200 })
        let asSent = try decoder.withPixels(of: description, payload: payload.span.bytes) { view, _ in
            [view.width, view.height]
        }
        #expect(asSent == [8, 6])
    }

    @Test("stays as it is where square pixels would be too many")
    func squarePixelsObeyTheLimits() throws {
        let (description, payload) = try Self.file(GrayPage(resolution: (204, 98))).frame()
        for limits in [PictureLimits(maxPixels: 95), PictureLimits(maxSide: 11)] {
            let height = try FrameDecoder(limits: limits).withFrame(description, payload: payload.span.bytes) {
                $0.pixels.height
            }
            #expect(height == 6)
        }
    }
}

@Suite("Frame whose pixels are not square")
struct SquarePixelTests {
    /// The pixels that are read of a frame of raw pixels, without padding.
    private static func read(
        _ rows: [UInt8],
        width: Int,
        height: Int,
        format: FrameFormat = .gray,
        bytesPerRow: Int = 0,
        ratio: Float
    ) throws -> PixelBuffer {
        let frame = Frame(format: format, width: width, height: height, bytesPerRow: bytesPerRow)
        var description = try frame.description(payloadByteCount: rows.count)
        description.pixelAspectRatio = ratio
        return try FrameDecoder(limits: PictureLimits()).withFrame(description, payload: rows.span.bytes) {
            PixelBuffer(copying: $0.pixels)
        }
    }

    @Test("has rows between its rows")
    func rows() throws {
        // The third byte of each row is padding.
        let pixels = try Self.read([0, 100, 9, 80, 20], width: 2, height: 2, bytesPerRow: 3, ratio: 0.5)
        #expect((pixels.width, pixels.height) == (2, 4))
        #expect(pixels.bytes == [0, 100, 20, 80, 60, 40, 80, 20])
    }

    @Test("has columns between its columns")
    func columns() throws {
        let pixels = try Self.read([0, 80, 100, 20], width: 2, height: 2, ratio: 2)
        #expect((pixels.width, pixels.height) == (4, 2))
        #expect(pixels.bytes == [0, 20, 60, 80, 100, 80, 40, 20])
    }

    @Test("keeps the channels of a pixel together")
    func channels() throws {
        let pixel: [UInt8] = [1, 2, 3, 255]
        let pixels = try Self.read(pixel + pixel, width: 2, height: 1, format: .bgra, ratio: 2)
        #expect(pixels.bytes == pixel + pixel + pixel + pixel)
    }
}
