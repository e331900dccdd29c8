import ImageCodecs
import TextModel
import Testing

@Suite("Resolution of a picture file")
struct PictureResolutionTests {
    private static let (subfile, horizontal, vertical, unit) = (0x00FE, 0x011A, 0x011B, 0x0128)

    private static func directory(_ horizontal: Int, _ vertical: Int, unit: Int? = nil) -> [CraftedTIFF.Entry] {
        var entries: [CraftedTIFF.Entry] = [
            .rational(Self.horizontal, horizontal * 10, 10), .rational(Self.vertical, vertical, 1),
        ]
        if let unit { entries.append(.short(Self.unit, unit)) }
        return entries
    }

    /// The pixels an inch that a file states, rounded; empty if it states none.
    private static func resolution(_ file: [UInt8]) throws -> [Int] {
        guard let resolution = try PictureFile(bytes: file, path: "picture").resolution else { return [] }
        return [resolution.horizontal, resolution.vertical].map { Int($0.rounded()) }
    }

    /// The resolution of a JPEG that begins with `segments`.
    private static func resolution(jpeg segments: [UInt8]...) throws -> [Int] {
        var file = try Fixture.bytes("gray.jpg")
        file.insert(contentsOf: segments.flatMap(\.self), at: 2)
        return try Self.resolution(file)
    }

    private static func jfif(_ horizontal: UInt8, _ vertical: UInt8, unit: UInt8) -> [UInt8] {
        JPEGFile.segment(0xE0, [UInt8]("JFIF\0".utf8) + [1, 2, unit, 0, horizontal, 0, vertical, 0, 0])
    }

    private static func exif(_ tiff: CraftedTIFF) -> [UInt8] {
        JPEGFile.segment(0xE1, [UInt8]("Exif\0\0".utf8) + tiff.bytes)
    }

    @Test("of a TIFF is read in both orders of bytes, also of a BigTIFF", arguments: [true, false], [true, false])
    func tiff(isLittleEndian: Bool, isBig: Bool) throws {
        func file(_ entries: [CraftedTIFF.Entry]) -> [UInt8] {
            CraftedTIFF(isLittleEndian: isLittleEndian, isBig: isBig, directories: [entries]).bytes
        }
        #expect(try Self.resolution(file(Self.directory(204, 98))) == [204, 98])
        #expect(try Self.resolution(file(Self.directory(300, 200, unit: 2))) == [300, 200])
        #expect(try Self.resolution(file(Self.directory(100, 40, unit: 3))) == [254, 102], "a centimetre")
        #expect(try Self.resolution(file(Self.directory(300, 300, unit: 1))) == [], "no unit")
        #expect(try Self.resolution(file([.rational(Self.horizontal, 300, 1)])) == [], "one axis")
        let endless: [CraftedTIFF.Entry] = [.rational(Self.horizontal, 300, 0), .rational(Self.vertical, 300, 1)]
        #expect(try Self.resolution(file(endless)) == [])
    }

    @Test("of a JPEG is that of its JFIF header, or else of its EXIF block")
    func jpeg() throws {
        let exif = Self.exif(CraftedTIFF(directories: [Self.directory(240, 120)]))
        #expect(try Self.resolution(jpeg: []) == [])
        #expect(try Self.resolution(jpeg: Self.jfif(200, 100, unit: 1)) == [200, 100])
        #expect(try Self.resolution(jpeg: Self.jfif(118, 118, unit: 2)) == [300, 300], "a centimetre")
        #expect(try Self.resolution(jpeg: exif) == [240, 120])
        #expect(try Self.resolution(jpeg: Self.jfif(200, 100, unit: 1), exif) == [200, 100])
        #expect(try Self.resolution(jpeg: Self.jfif(1, 1, unit: 0), exif) == [240, 120], "the form of pixels only")
    }

    @Test("of a PNG is in pixels a metre", arguments: [(11811, 1, [300, 300]), (11811, 0, []), (2835, 1, [])])
    func png(pixelsPerMetre: Int, unit: Int, expected: [Int]) throws {
        let number = (0..<4).map { UInt8(truncatingIfNeeded: pixelsPerMetre >> (24 - 8 * $0)) }
        var chunk: [UInt8] = [0, 0, 0, 9] + Array("pHYs".utf8)
        chunk += number + number + [UInt8(unit)]
        // The checksum has no meaning here.
        chunk += [0, 0, 0, 0]
        var file = try Fixture.bytes("colour.png")
        // Behind the signature and the chunk IHDR.
        file.insert(contentsOf: chunk, at: 33)
        #expect(try Self.resolution(file) == expected)
    }

    @Test("that no scanner has is none", arguments: [0, 1, 72, 4801])
    func incredible(pixelsPerInch: Int) throws {
        for entries in [Self.directory(pixelsPerInch, 300), Self.directory(300, pixelsPerInch)] {
            #expect(try Self.resolution(CraftedTIFF(directories: [entries]).bytes) == [])
        }
    }

    @Test("counts pages, but not smaller copies and masks of them", arguments: [true, false])
    func pages(isBig: Bool) throws {
        let kinds = [0, 1, 2, 4, 2]
        let directories: [[CraftedTIFF.Entry]] = kinds.map { [.short(Self.subfile, $0)] } + [[]]
        let file = CraftedTIFF(isBig: isBig, directories: directories).bytes
        let picture = try PictureFile(bytes: file, path: "pages.tif")
        #expect(picture.pageCount == 4 && picture.warnings == [FrameWarning(.firstPageOnly, pages: 4)])
    }

    @Test("of a circle of directories counts each once", arguments: [true, false])
    func circle(isBig: Bool) throws {
        var file = CraftedTIFF(isBig: isBig, directories: [[], [], []])
        file.end = file.start
        #expect(try PictureFile(bytes: file.bytes, path: "circle.tif").pageCount == 3)
    }

    @Test("of a structure that is cut off or lies does no harm", arguments: [true, false], [true, false])
    func lies(isLittleEndian: Bool, isBig: Bool) throws {
        let whole = CraftedTIFF(
            isLittleEndian: isLittleEndian,
            isBig: isBig,
            directories: [Self.directory(300, 300), Self.directory(300, 300)]
        ).bytes
        for place in 4..<whole.count {
            var files = [Array(whole[..<place])]
            for byte in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
                var file = whole
                for index in place..<min(place + 8, whole.count) { file[index] = byte }
                files.append(file)
            }
            for file in files {
                let picture = try PictureFile(bytes: file, path: "lies.tif")
                #expect(picture.pageCount >= 1)
                _ = picture.resolution
            }
        }
    }
}
