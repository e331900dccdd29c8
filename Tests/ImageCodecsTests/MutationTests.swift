import ImageCodecs
import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

/// Modified valid files are a picture or an error: nothing traps and nothing is allocated beyond the limits.
@Suite("Damaged input")
struct MutationTests {
    static let limits = PictureLimits(maxPixels: 1 << 20, maxSide: 4096)

    /// `bytes` with some bits flipped, bytes replaced, or a part removed, truncated or duplicated.
    static func mutated(_ bytes: [UInt8], with numbers: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0..<4, using: &numbers) {
            guard let index = bytes.indices.randomElement(using: &numbers) else { break }
            switch Int.random(in: 0..<10, using: &numbers) {
            case 0: bytes.removeSubrange(index...)
            case 1: bytes.removeSubrange(index..<min(index + Int.random(in: 1...16, using: &numbers), bytes.count))
            case 2: bytes.insert(contentsOf: bytes[index..<min(index + 64, bytes.count)], at: index)
            case 3: bytes[index] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &numbers) ?? 0
            case 4: bytes[index] = UInt8.random(in: .min ... .max, using: &numbers)
            default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            }
        }
        return bytes
    }

    @Test("JPEG is a picture or an error", arguments: Fixture.names(ending: ".jpg"))
    func jpeg(name: String) throws {
        let (decoder, file) = (FrameDecoder(limits: Self.limits), try Fixture.bytes(name))
        var numbers = SplitMix64(7411)
        for _ in 0..<200 {
            let damaged = Self.mutated(file, with: &numbers)
            let picture = try? decoder.picture(jpeg: damaged)
            #expect((picture?.pixels.bytes.count ?? 0) <= decoder.bufferByteCount)
        }
        #expect(decoder.bufferByteCount <= 4 * Self.limits.maxPixels)
    }

    @Test("LZ4 is a picture or an error", arguments: [FrameFormat.bgraLZ4Block, .grayLZ4Block, .bgraLZ4Frame])
    func lz4(format: FrameFormat) throws {
        let decoder = FrameDecoder(limits: Self.limits)
        let (width, height) = (32, format == .grayLZ4Block ? 128 : 32)
        let frame = Frame(
            format: format,
            width: width,
            height: height,
            bytesPerRow: LZ4Tests.rows.count / height
        )
        let payloads =
            format == .bgraLZ4Frame
            ? [LZ4Encoder.frame(LZ4Tests.rows), LZ4Encoder.frame(LZ4Tests.rows, contentSize: true, checksums: true)]
            : [LZ4Encoder.block(LZ4Tests.rows)]
        var numbers = SplitMix64(7411)
        for payload in payloads {
            for _ in 0..<3000 { _ = try? decoder.picture(frame, Self.mutated(payload, with: &numbers)) }
        }
        #expect(decoder.bufferByteCount == LZ4Tests.rows.count)
    }

    @Test(
        "Another picture file is a picture or an error",
        arguments: Fixture.names(ending: ".png", ".webp", ".gif", ".tif", ".bmp").filter {
            !$0.hasSuffix(".expected.png")
        }
    )
    func pictureFile(name: String) throws {
        let file = try Fixture.bytes(name)
        var numbers = SplitMix64(7411)
        for _ in 0..<200 {
            let damaged = Self.mutated(file, with: &numbers)
            let picture = try? PictureFile(bytes: damaged, path: name).picture(limits: Self.limits)
            #expect((picture?.pixels.bytes.count ?? 0) <= 4 * Self.limits.maxPixels)
        }
    }
}
