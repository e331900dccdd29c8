import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

/// Irregularity of device-made JPEG files that changes no pixel.
struct Irregularity: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Files that it applies to.
    var names = Irregularity.files
    let codes: [FrameWarning.Code]
    let make: @Sendable (JPEGFile) -> JPEGFile

    static let files = [
        "420.jpg", "422.jpg", "444.jpg", "440.jpg", "411.jpg", "gray.jpg", "restarts.jpg", "cmyk.jpg", "ycck.jpg",
        "rgb.jpg", "progressive.jpg", "gray-progressive.jpg",
    ]
    /// Files with one scan.
    static let baseline = files.filter { !$0.hasSuffix("progressive.jpg") }

    init(
        _ description: String,
        of names: [String] = Irregularity.files,
        _ codes: [FrameWarning.Code],
        _ make: @escaping @Sendable (JPEGFile) -> JPEGFile
    ) {
        self.testDescription = description
        self.names = names
        self.codes = codes
        self.make = make
    }

    static let strays: [[UInt8]] = [[0], [0x20, 0x7A, 0x91], [0xFF, 0x00], [UInt8](repeating: 0x5A, count: 300)]
    static let comment = JPEGFile.segment(0xFE, [0x61, 0xFF, 0xD9, 0xFF, 0xD8, 0xFF, 0xDA])

    static let inTheHeader: [Irregularity] =
        strays.map { stray in
            Irregularity("\(stray.count) stray bytes between segments", [.jpegStrayBytes]) {
                $0.with(beforeEachSegment: stray)
            }
        } + [
            Irregularity("fill bytes between segments", []) { $0.with(beforeEachSegment: [0xFF, 0xFF, 0xFF]) },
            Irregularity("comments with markers in them", []) { $0.with(beforeEachSegment: comment) },
            Irregularity("empty comments", []) { $0.with(beforeEachSegment: JPEGFile.segment(0xFE, [])) },
            Irregularity("restart markers between segments", []) { $0.with(beforeEachSegment: [0xFF, 0xD5]) },
            Irregularity("zeros behind the start marker", [.jpegStrayBytes]) { file in
                var file = file
                file.afterStart = [UInt8](repeating: 0, count: 10)
                return file
            },
            Irregularity("a line break in front", [.jpegStrayBytes]) { file in
                var file = file
                file.lead = [0x0D, 0x0A]
                return file
            },
            Irregularity("the header of a part in front", [.jpegStrayBytes]) { file in
                var file = file
                file.lead = Array("--frame\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
                return file
            },
            Irregularity(
                "a JFIF of version 2",
                of: baseline.filter { $0 != "ycck.jpg" && $0 != "rgb.jpg" },
                [.jpegOddHeader]
            ) {
                $0.without(0xE0).with(
                    firstSegment: JPEGFile.segment(0xE0, Array("JFIF\0".utf8) + [2, 1, 0, 0, 1, 0, 1, 0, 0])
                )
            },
            Irregularity("a scan that says it holds no coefficients", of: baseline, [.jpegOddHeader]) { file in
                var file = file
                let last = file.segments.count - 1
                file.segments[last] = [UInt8](file.segments[last].dropLast(3) + [0, 0, 0])
                return file
            },
            Irregularity("a restart interval of 0", of: baseline.filter { $0 != "restarts.jpg" }, []) {
                $0.with(firstSegment: JPEGFile.segment(0xDD, [0, 0]))
            },
        ]

    /// libjpeg reads up to seven bytes ahead, and does not notice stray bytes among them.
    static let inTheScan: [Irregularity] = [
        Irregularity("a stray byte in front of restart markers", of: ["restarts.jpg"], []) {
            $0.with(beforeEachRestart: [0])
        },
        Irregularity("60 stray bytes in front of restart markers", of: ["restarts.jpg"], [.jpegStrayBytes]) {
            $0.with(beforeEachRestart: [UInt8](repeating: 0x36, count: 60))
        },
        Irregularity("fill bytes in front of restart markers", of: ["restarts.jpg"], []) {
            $0.with(beforeEachRestart: [0xFF, 0xFF])
        },
    ]

    static let atTheEnd: [Irregularity] = [
        Irregularity("no end marker", [.jpegNoEnd]) { $0.with(end: []) },
        Irregularity("half an end marker", [.jpegNoEnd]) { $0.with(end: [0xFF]) },
        Irregularity("zeros instead of the end marker", [.jpegNoEnd]) {
            $0.with(end: [UInt8](repeating: 0, count: 5000))
        },
        Irregularity("a pattern instead of the end marker", [.jpegNoEnd]) {
            $0.with(end: [UInt8](repeating: 0xA5, count: 5000))
        },
        Irregularity("fill bytes instead of the end marker", [.jpegNoEnd]) {
            $0.with(end: [UInt8](repeating: 0xFF, count: 5000))
        },
        Irregularity("an older picture instead of the end marker", [.jpegNoEnd]) { file in
            file.with(end: file.bytes)
        },
        Irregularity("the end of an older picture", of: baseline, [.jpegStrayBytes]) { file in
            file.with(end: [UInt8](file.scan.suffix(150)) + [0xFF, 0xD9] + [UInt8](repeating: 0, count: 100))
        },
        Irregularity("the end of an older picture, zeros behind", of: baseline, [.jpegStrayBytes, .jpegNoEnd]) { file in
            file.with(end: [UInt8](file.scan.suffix(150)) + [UInt8](repeating: 0, count: 100))
        },
        Irregularity("zeros in front of the end marker", [.jpegStrayBytes]) {
            $0.with(end: [UInt8](repeating: 0, count: 16) + [0xFF, 0xD9])
        },
        Irregularity("three end markers", []) { $0.with(end: [0xFF, 0xD9, 0xFF, 0xD9, 0xFF, 0xD9]) },
        Irregularity("another picture behind", []) { $0.with(end: [0xFF, 0xD9] + $0.bytes) },
        Irregularity("the height again behind the scan", of: baseline, []) {
            $0.with(end: JPEGFile.segment(0xDC, [0, UInt8(Fixture.height)]) + [0xFF, 0xD9])
        },
        Irregularity("a comment behind the scan", []) { $0.with(end: comment + [0xFF, 0xD9]) },
    ]

    static let withoutTables: [Irregularity] = [
        Irregularity("no Huffman tables", [.jpegNoTables]) { $0.without(0xC4) },
        Irregularity("no Huffman tables, and AVI's segment", [.jpegNoTables]) {
            $0.without(0xC4).with(
                firstSegment: JPEGFile.segment(0xE0, Array("AVI1".utf8) + [UInt8](repeating: 0, count: 10))
            )
        },
        Irregularity("no Huffman tables, no end marker", [.jpegNoEnd, .jpegNoTables]) {
            $0.without(0xC4).with(end: [])
        },
    ].map { irregularity in
        var irregularity = irregularity
        irregularity.names = ["420.jpg", "444.jpg", "gray.jpg", "restarts.jpg", "rgb.jpg"]
        return irregularity
    }
}

@Suite("An irregular JPEG")
struct JPEGIrregularityTests {
    private func decoded(_ file: [UInt8], damaged: DamagedFrames = .refuse) throws -> Decoded {
        let frame = try Frame(format: .jpeg).description(payloadByteCount: file.count)
        return try FrameDecoder(limits: PictureLimits()).withFrame(frame, payload: file.span.bytes, damaged: damaged) {
            Decoded(pixels: PixelBuffer(copying: $0.pixels), intactRows: $0.intactRows, warnings: $0.warnings)
        }
    }

    struct Decoded {
        let pixels: PixelBuffer
        let intactRows: Int
        let warnings: [FrameWarning]
    }

    @Test(
        "is read like the regular one, and its irregularity reported",
        arguments: Irregularity.inTheHeader + Irregularity.inTheScan + Irregularity.atTheEnd
            + Irregularity.withoutTables
    )
    func harmless(_ irregularity: Irregularity) throws {
        for name in irregularity.names {
            let file = try Fixture.bytes(name)
            let regular = try self.decoded(file)
            #expect(regular.warnings.isEmpty)
            let irregular = irregularity.make(JPEGFile(file)).bytes
            #expect(irregular != file)
            let decoded = try self.decoded(irregular)
            #expect(decoded.pixels == regular.pixels, "\(name)")
            #expect(decoded.warnings.map(\.code) == irregularity.codes, "\(name)")
            #expect(decoded.intactRows == regular.pixels.height)
        }
    }

    @Test(
        "cut off in its scan is refused, or read above the cut",
        arguments: ["420.jpg", "gray.jpg", "444.jpg", "restarts.jpg"]
    )
    func cutOff(name: String) throws {
        let file = JPEGFile(try Fixture.bytes(name))
        let whole = try self.decoded(file.bytes).pixels
        var rows: [Int] = []
        let ends: [[UInt8]] = [[], [0xFF, 0xD9], [UInt8](repeating: 0, count: 4000)]
        for count in stride(from: file.scan.count / 8, to: file.scan.count - 6, by: 7) {
            for end in ends {
                let cut = file.cut(after: count).with(end: end).bytes
                #expect(throws: CodecError(.jpegCorrupt, ""), "\(name) \(count)") { try self.decoded(cut) }
                guard let part = try? self.decoded(cut, damaged: .read) else { continue }
                rows.append(part.intactRows)
                try #require(part.intactRows < Fixture.height)
                #expect(part.warnings.last == FrameWarning(.jpegDamaged, row: part.intactRows))
                let intact = part.intactRows * whole.bytesPerRow
                #expect(part.pixels.bytes[..<intact] == whole.bytes[..<intact], "\(name) \(count)")
                // The rows below are blank: all of their pixels are equal.
                let pixel = part.pixels.bytes[intact..<intact + whole.format.bytesPerPixel]
                #expect(
                    stride(from: intact, to: whole.bytes.count, by: pixel.count).allSatisfy {
                        part.pixels.bytes[$0..<$0 + pixel.count].elementsEqual(pixel)
                    }
                )
            }
        }
        #expect(Set(rows).count >= 2, "\(rows)")
    }

    @Test("damaged in its scan is refused, and none of its rows below the damage is handed out")
    func damaged() throws {
        let file = JPEGFile(try Fixture.bytes("restarts.jpg"))
        let whole = try self.decoded(file.bytes).pixels
        var (refused, partly) = (0, 0)
        for (index, place) in file.restarts.enumerated().dropFirst(3) {
            var damaged = file
            // The marker of another interval, and data that ends too early.
            damaged.scan[place + 1] = 0xD0 + UInt8((index + 4) % 8)
            damaged.scan.removeSubrange(place - 4..<place)
            let error = #expect(throws: CodecError.self) { try self.decoded(damaged.bytes) }
            #expect(error?.code == .jpegCorrupt)
            refused += 1
            let part = try? self.decoded(damaged.bytes, damaged: .read)
            #expect(error?.message.contains(#"set "damaged":"read" (--damaged read)"#) == (part != nil))
            guard let part else { continue }
            partly += 1
            let intact = part.intactRows * whole.bytesPerRow
            #expect(part.pixels.bytes[..<intact] == whole.bytes[..<intact])
        }
        #expect(refused > 0 && partly > 0)
    }

    @Test(
        "whose scan is too short for its size is refused, with advice if a part of it can be read",
        arguments: [(600, true), (50, false)]
    )
    func shortScan(byteCount: Int, isPartlyReadable: Bool) throws {
        let blank = PixelBuffer(width: 640, height: 480, format: .gray)
        let file = JPEGFile(try blank.withPixels { try JPEGEncoder().encode($0) })
        let cut = file.cut(after: byteCount).with(end: []).bytes
        let error = #expect(throws: CodecError.self) { try self.decoded(cut) }
        #expect(error?.message.contains("bytes of scans cannot hold 640x480 pixels") == true)
        #expect(error?.message.contains(#""damaged":"read""#) == isPartlyReadable)
        let part = try? self.decoded(cut, damaged: .read)
        #expect((part != nil) == isPartlyReadable)
    }

    @Test("that announces more than it holds is refused before anything is allocated")
    func bombs() throws {
        let decoder = FrameDecoder(limits: PictureLimits())
        let file = try Fixture.bytes("bad-4000.jpg")
        let frame = try Frame(format: .jpeg).description(payloadByteCount: file.count)
        #expect(throws: CodecError(.jpegCorrupt, "")) {
            try decoder.withFrame(frame, payload: file.span.bytes, damaged: .read) { _ in }
        }
        #expect(decoder.bufferByteCount == 0)
    }
}

@Suite("A JPEG at a reduced scale")
struct JPEGReductionTests {
    @Test(
        "is decoded at the least of 1, 1/2, 1/4 and 1/8 that suffices",
        arguments: [(1, 1), (0.51, 1), (0.5, 2), (0.3, 2), (0.25, 4), (0.13, 4), (0.125, 8), (0.01, 8), (2, 1)]
            as [(Float, Int)],
        ["420.jpg", "gray.jpg", "progressive.jpg", "cmyk.jpg"]
    )
    func scales(scale: (least: Float, divisor: Int), name: String) throws {
        let file = try Fixture.bytes(name)
        let frame = try Frame(format: .jpeg).description(payloadByteCount: file.count)
        try FrameDecoder(limits: PictureLimits()).withFrame(
            frame,
            payload: file.span.bytes,
            minScale: { width, height in
                #expect((width, height) == (Fixture.width, Fixture.height))
                return scale.least
            }
        ) { decoded in
            let (width, height) = (decoded.pixels.width, decoded.pixels.height)
            #expect(width == (Fixture.width + scale.divisor - 1) / scale.divisor)
            #expect(height == (Fixture.height + scale.divisor - 1) / scale.divisor)
            #expect((decoded.width, decoded.height) == (Fixture.width, Fixture.height))
            #expect(decoded.intactRows == Fixture.height)
        }
    }

    @Test("looks like the mean of the pixels that it stands for")
    func lookIsTheSame() throws {
        let file = try Fixture.bytes("gray.jpg")
        let frame = try Frame(format: .jpeg).description(payloadByteCount: file.count)
        let decoder = FrameDecoder(limits: PictureLimits())
        let whole = try decoder.picture(jpeg: file).pixels
        let half = try decoder.withFrame(frame, payload: file.span.bytes, minScale: { _, _ in 0.5 }) {
            PixelBuffer(copying: $0.pixels)
        }
        for row in 0..<half.height - 1 {
            for column in 0..<half.width {
                let (x, y) = (2 * column, 2 * row)
                let four = [y, y + 1].flatMap { y in [x, x + 1].map { Int(whole.bytes[y * whole.width + $0]) } }
                #expect(abs(four.reduce(0, +) / 4 - Int(half.bytes[row * half.width + column])) < 24)
            }
        }
    }
}
