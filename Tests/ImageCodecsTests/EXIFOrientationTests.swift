import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@Suite("EXIF orientation")
struct EXIFOrientationTests {
    @Test("of all eight values is found, and turns the picture upright", arguments: Orientation.allCases)
    func allOrientations(orientation: Orientation) throws {
        let decoder = FrameDecoder(limits: PictureLimits())
        let upright = try decoder.picture(jpeg: try Fixture.bytes("444.jpg")).pixels
        let picture = try decoder.picture(jpeg: try Fixture.bytes("exif-\(orientation.rawValue).jpg"))
        #expect(picture.orientation == orientation)
        // Another quality and subsampling of the same scene, so the mean difference counts, not the largest.
        let turned = picture.pixels.upright(from: picture.orientation)
        try #require(turned.bytes.count == upright.bytes.count)
        let difference = zip(turned.bytes, upright.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(difference / upright.bytes.count < 12)
    }

    @Test("gives way to the orientation of the frame", arguments: Orientation.allCases)
    func headerWins(orientation: Orientation) throws {
        let frame = Frame(format: .jpeg, orientation: orientation.rawValue)
        let picture = try FrameDecoder(limits: PictureLimits()).picture(frame, try Fixture.bytes("exif-6.jpg"))
        #expect(picture.orientation == orientation)
    }

    /// A directory at offset 8 with the orientation as its second entry.
    static func exif(
        littleEndian: Bool,
        value: UInt16,
        type: UInt16 = 3,
        count: UInt32 = 1,
        directory: UInt32 = 8,
        entries: UInt16 = 2
    ) -> [UInt8] {
        func short(_ number: UInt16) -> [UInt8] {
            littleEndian ? [UInt8(number & 0xFF), UInt8(number >> 8)] : [UInt8(number >> 8), UInt8(number & 0xFF)]
        }
        func long(_ number: UInt32) -> [UInt8] {
            let (high, low) = (short(UInt16(number >> 16)), short(UInt16(number & 0xFFFF)))
            return littleEndian ? low + high : high + low
        }
        let inline = type == 4 ? long(UInt32(value)) : short(value) + short(0)
        var exif =
            [UInt8]("Exif\0\0".utf8) + [UInt8](littleEndian ? "II".utf8 : "MM".utf8) + short(42) + long(directory)
        exif += short(entries)
        exif += short(0x010F) + short(2) + long(8) + long(50)
        exif += short(0x0112) + short(type) + long(count) + inline
        return exif + long(8)
    }

    /// Orientation of a small JPEG that begins with an APP1 segment for each of `blocks`.
    static func orientation(_ blocks: [UInt8]...) throws -> Orientation {
        var file = try Fixture.bytes("gray.jpg")
        for block in blocks.reversed() {
            let segment = [0xFF, 0xE1, UInt8((block.count + 2) >> 8), UInt8((block.count + 2) & 0xFF)] + block
            file.insert(contentsOf: segment, at: 2)
        }
        return try FrameDecoder(limits: PictureLimits()).picture(jpeg: file).orientation
    }

    @Test("is read in both byte orders, as a short or a long", arguments: [true, false], [UInt16(3), 4])
    func bothByteOrders(littleEndian: Bool, type: UInt16) throws {
        for value in UInt16(1)...8 {
            let exif = Self.exif(littleEndian: littleEndian, value: value, type: type)
            #expect(try Self.orientation(exif).rawValue == UInt8(value))
        }
    }

    @Test("that cannot be believed is up: wrong values, types, counts", arguments: [true, false])
    func nonsenseIsUp(littleEndian: Bool) throws {
        for value in [UInt16(0), 9, 256, 0xFFFF] {
            #expect(try Self.orientation(Self.exif(littleEndian: littleEndian, value: value)) == .up)
        }
        #expect(try Self.orientation(Self.exif(littleEndian: littleEndian, value: 6, type: 2)) == .up)
        #expect(try Self.orientation(Self.exif(littleEndian: littleEndian, value: 6, count: 2)) == .up)
        #expect(try Self.orientation(Self.exif(littleEndian: littleEndian, value: 6, count: 0)) == .up)
    }

    @Test("behind lying offsets and counts is up", arguments: [true, false])
    func lyingOffsetsAreHarmless(littleEndian: Bool) throws {
        for directory in [
            UInt32(0), 1, 4, 7, 9, 30, 40, 41, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF8, 0xFFFF_FFFF,
        ] {
            let exif = Self.exif(littleEndian: littleEndian, value: 6, directory: directory)
            #expect(try Self.orientation(exif) == .up, "directory at \(directory)")
        }
        // More entries than there are: the existing one counts.
        #expect(try Self.orientation(Self.exif(littleEndian: littleEndian, value: 6, entries: 0xFFFF)) == .right)
        #expect(try Self.orientation(Self.exif(littleEndian: littleEndian, value: 6, entries: 1)) == .up)
        #expect(try Self.orientation(Self.exif(littleEndian: littleEndian, value: 6, entries: 0)) == .up)
    }

    @Test("of a block cut off anywhere does no harm", arguments: [true, false])
    func truncatedBlocksAreHarmless(littleEndian: Bool) throws {
        let exif = Self.exif(littleEndian: littleEndian, value: 6)
        // The value is four bytes before the pointer to the next directory, which is not used.
        for count in 0...exif.count {
            let expected: Orientation = count >= exif.count - 6 ? .right : .up
            #expect(try Self.orientation([UInt8](exif[..<count])) == expected, "cut after \(count) bytes")
        }
    }

    @Test("is found behind an APP1 segment of another kind; the first of two counts")
    func firstBlockCounts() throws {
        let xmp = [UInt8]("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>".utf8)
        let (six, three) = (Self.exif(littleEndian: true, value: 6), Self.exif(littleEndian: false, value: 3))
        #expect(try Self.orientation(xmp, six) == .right)
        #expect(try Self.orientation(six, three) == .right)
    }
}
