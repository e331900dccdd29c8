import TextModel
import ImageCodecs
import GlyphwireProtocol
import Testing

@Suite("JPEG")
struct JPEGTests {
    @Test(
        "is seen as Pillow sees it, whatever its sampling, process and colours",
        arguments: Fixture.names(ending: ".expected.png").map { $0.replacing(".expected.png", with: ".jpg") }
    )
    func decodesLikePillow(name: String) throws {
        let picture = try FrameDecoder(limits: PictureLimits()).picture(jpeg: try Fixture.bytes(name))
        let expected = try Fixture.expected(of: name)
        #expect(picture.pixels.format == (name.hasPrefix("gray") ? .gray : .bgra))
        #expect(picture.pixels.difference(from: expected) <= 1)
    }

    @Test("that is another thing is named as that thing, but white pixels are no text")
    func otherThingsAreNamed() {
        func message(_ payload: [UInt8]) -> String {
            let error = #expect(throws: WireError.self) {
                try FrameDecoder(limits: PictureLimits()).picture(jpeg: payload)
            }
            #expect(error?.code == .jpegCorrupt)
            return error?.message ?? ""
        }
        #expect(message([UInt8](repeating: 0xFF, count: 2000)).contains("does not begin with FF D8"))
        #expect(message(Array("Grüße\n".utf8)).contains("is text"))
        // The character at the end of what is examined is cut off.
        #expect(message(Array(("a" + String(repeating: "ü", count: 1000)).utf8)).contains("is text"))
    }

    @Test("of all kinds are among the fixtures")
    func fixturesAreThere() {
        #expect(Fixture.names(ending: ".expected.png").count == 13)
    }

    @Test("without Huffman tables is read with the usual ones, whatever was read before")
    func missingTablesAreTheUsualOnes() throws {
        let decoder = FrameDecoder(limits: PictureLimits())
        let expected = try Fixture.expected(of: "420.jpg")
        for earlier in ["gray.jpg", "progressive.jpg", "ycck.jpg"] {
            _ = try decoder.picture(jpeg: try Fixture.bytes(earlier))
            let picture = try decoder.picture(jpeg: try Fixture.bytes("no-huffman-tables.jpg"))
            #expect(picture.pixels.difference(from: expected) <= 1)
        }
    }

    @Test("may be followed by anything")
    func trailingBytesAreIgnored() throws {
        let file = try Fixture.bytes("420.jpg")
        let expected = try Fixture.expected(of: "420.jpg")
        // Phones append a film, which may contain the bytes of any marker.
        let scans = [[UInt8]](repeating: [0xFF, 0xDA, 0, 2], count: 100).flatMap(\.self)
        for surplus in [[0], [UInt8](repeating: 0, count: 100), scans, file] {
            let picture = try FrameDecoder(limits: PictureLimits()).picture(jpeg: file + surplus)
            #expect(picture.pixels.difference(from: expected) <= 1)
        }
    }

    @Test(
        "that is damaged or of a kind that is not read is refused with its code",
        arguments: [
            ("bad-truncated.jpg", WireError.Code.jpegCorrupt),
            ("bad-scan-data.jpg", .jpegCorrupt),
            ("bad-huffman.jpg", .jpegCorrupt),
            ("bad-two-frames.jpg", .jpegCorrupt),
            ("bad-no-frame.jpg", .jpegCorrupt),
            ("bad-4000.jpg", .jpegCorrupt),
            ("bad-65500.jpg", .tooManyPixels),
            ("bad-no-width.jpg", .badDimensions),
            ("bad-no-height.jpg", .jpegUnsupported),
            ("bad-many-scans.jpg", .jpegUnsupported),
            ("bad-12-bit.jpg", .jpegUnsupported),
            ("bad-lossless.jpg", .jpegUnsupported),
            ("bad-hierarchical.jpg", .jpegUnsupported),
            ("bad-arithmetic.jpg", .jpegUnsupported),
            ("bad-two-components.jpg", .jpegUnsupported),
        ]
    )
    func badFilesAreRefused(name: String, code: WireError.Code) throws {
        let (decoder, file) = (FrameDecoder(limits: PictureLimits()), try Fixture.bytes(name))
        #expect { try decoder.picture(jpeg: file) } throws: { ($0 as? WireError)?.code == code }
        // The next frame is not affected.
        let picture = try decoder.picture(jpeg: try Fixture.bytes("420.jpg"))
        #expect(picture.pixels.difference(from: try Fixture.expected(of: "420.jpg")) <= 1)
    }

    @Test(
        "cut off anywhere before the end of its data is refused",
        arguments: ["420.jpg", "progressive.jpg", "exif-6.jpg", "restarts.jpg"]
    )
    func everyTruncationIsRefused(name: String) throws {
        let (decoder, file) = (FrameDecoder(limits: PictureLimits()), try Fixture.bytes(name))
        let whole = try decoder.picture(jpeg: file)
        // The last bytes of a scan may be padding.
        for count in 1..<file.count - 6 {
            #expect("cut after \(count) bytes") {
                try decoder.picture(jpeg: [UInt8](file[..<count]))
            } throws: {
                ($0 as? WireError)?.code == .jpegCorrupt
            }
        }
        for count in file.count - 6..<file.count {
            let picture = try? decoder.picture(jpeg: [UInt8](file[..<count]))
            #expect(picture == nil || picture == whole, "cut after \(count) bytes")
        }
    }

    @Test("with many scans is refused even if a comment says that the picture ends before them")
    func scansCannotBeHidden() throws {
        let file = try Fixture.bytes("bad-many-scans.jpg")
        let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 0xFF, 0xD9]
        let secondScan = try #require(
            file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }.dropFirst().first
        )
        let hidden = file[..<secondScan] + comment + file[secondScan...]
        #expect {
            try FrameDecoder(limits: PictureLimits()).picture(jpeg: [UInt8](hidden))
        } throws: {
            ($0 as? WireError)?.code == .jpegUnsupported
        }
    }

    @Test("that is another kind of file is named in the error")
    func otherFilesAreNamed() throws {
        let file = try Fixture.bytes("colour.png")
        let error = #expect(throws: WireError.self) { try FrameDecoder(limits: PictureLimits()).picture(jpeg: file) }
        #expect(error?.code == .jpegCorrupt)
        #expect(error?.message.contains("PNG") == true)
    }

    @Test("is refused before anything is allocated for it when it is past the limits or its data cannot fill it")
    func bombsAllocateNothing() throws {
        let decoder = FrameDecoder(limits: PictureLimits(maxPixels: 400))
        for name in ["420.jpg", "bad-65500.jpg"] {
            let file = try Fixture.bytes(name)
            #expect { try decoder.picture(jpeg: file) } throws: { ($0 as? WireError)?.code == .tooManyPixels }
        }
        let narrow = FrameDecoder(limits: PictureLimits(maxSide: 40))
        #expect {
            try narrow.picture(jpeg: try Fixture.bytes("420.jpg"))
        } throws: {
            ($0 as? WireError)?.code == .badDimensions
        }
        #expect(narrow.bufferByteCount == 0)
        let roomy = FrameDecoder(limits: PictureLimits())
        let file = try Fixture.bytes("bad-4000.jpg")
        #expect { try roomy.picture(jpeg: file) } throws: { ($0 as? WireError)?.code == .jpegCorrupt }
        #expect(decoder.bufferByteCount == 0)
        #expect(roomy.bufferByteCount == 0)
    }

    @Test("must be as large as the frame's header says, where it says something")
    func sizeMustMatch() throws {
        let (decoder, file) = (FrameDecoder(limits: PictureLimits()), try Fixture.bytes("420.jpg"))
        var frame = Frame(format: .jpeg, width: Fixture.width, height: Fixture.height)
        #expect(try decoder.picture(frame, file).pixels.width == Fixture.width)
        frame.height += 1
        #expect { try decoder.picture(frame, file) } throws: { ($0 as? WireError)?.code == .sizeMismatch }
    }

    @Test("of one pixel is read")
    func onePixelIsRead() throws {
        let pixel = PixelBuffer(width: 1, height: 1, format: .gray)
        let file = try pixel.withPixels { (view) throws(PictureError) in try JPEGEncoder().encode(view) }
        #expect(try FrameDecoder(limits: PictureLimits()).picture(jpeg: file).pixels == pixel)
    }
}
