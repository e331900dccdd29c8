import CLZ4
import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@Suite("LZ4")
struct LZ4Tests {
    static let rows = [UInt8]((0..<4096).map { UInt8(truncatingIfNeeded: $0 / 5 ^ $0 >> 7) })

    static func frame(_ format: FrameFormat) -> Frame {
        Frame(format: format, width: 32, height: 32, bytesPerRow: 128)
    }

    /// The error code of a payload; `nil` for the right pixels.
    static func answer(_ format: FrameFormat, _ payload: [UInt8]) -> WireError.Code? {
        let decoder = FrameDecoder(limits: PictureLimits())
        do throws(WireError) {
            let picture = try decoder.picture(Self.frame(format), payload)
            #expect(picture.pixels.bytes == Self.rows)
            return nil
        } catch {
            // Its stated size must not determine the allocation.
            #expect(decoder.bufferByteCount <= Self.rows.count)
            return error.code
        }
    }

    @Test("block of too few or too many bytes is a size mismatch, and a bomb allocates the rows at most")
    func blockSizeMustMatch() {
        #expect(Self.answer(.bgraLZ4Block, LZ4Encoder.block(Self.rows)) == nil)
        #expect(Self.answer(.bgraLZ4Block, LZ4Encoder.block(Self.rows.dropLast())) == .sizeMismatch)
        #expect(Self.answer(.bgraLZ4Block, LZ4Encoder.block(Self.rows + [1])) == .sizeMismatch)
        #expect(Self.answer(.bgraLZ4Block, LZ4Encoder.block([UInt8](repeating: 0, count: 16 << 20))) == .sizeMismatch)
    }

    @Test("block that is cut off, damaged or followed by bytes is refused")
    func blockMustBeWhole() {
        let block = LZ4Encoder.block(Self.rows)
        for count in 1..<block.count {
            #expect(Self.answer(.bgraLZ4Block, [UInt8](block[..<count])) != nil, "cut after \(count) bytes")
        }
        #expect(Self.answer(.bgraLZ4Block, block + [0]) != nil)
        #expect(Self.answer(.bgraLZ4Block, [UInt8](repeating: 0xFF, count: 50)) == .lz4Corrupt)
        // A match that refers to before the first byte.
        #expect(Self.answer(.bgraLZ4Block, [0x10, 0x41, 0xFF, 0xFF, 0x00]) == .lz4Corrupt)
    }

    @Test("frame is read with blocks linked or not, of any size", arguments: [LZ4F_max64KB, LZ4F_max4MB])
    func framesOfAllBlocks(size: LZ4F_blockSizeID_t) throws {
        let rows = [UInt8]((0..<640 * 360 * 4).map { UInt8(truncatingIfNeeded: $0 / 64 &* $0 >> 9) })
        let description = Frame(format: .bgraLZ4Frame, width: 640, height: 360, bytesPerRow: 640 * 4)
        let decoder = FrameDecoder(limits: PictureLimits())
        for mode in [LZ4F_blockLinked, LZ4F_blockIndependent] {
            let frame = LZ4Encoder.frame(rows, checksums: true, blockSize: size, blockMode: mode)
            #expect(try decoder.picture(description, frame).pixels.bytes == rows)
        }
    }

    @Test("frame after a damaged one is read as if there had been none", arguments: [true, false], [true, false])
    func damageDoesNotAffectTheNextFrame(promised: Bool, promises: Bool) throws {
        let decoder = FrameDecoder(limits: PictureLimits())
        let damaged = LZ4Encoder.frame(Self.rows, contentSize: promised)
        let whole = LZ4Encoder.frame(Self.rows, contentSize: promises)
        for count in 1..<damaged.count {
            #expect(throws: WireError.self) {
                try decoder.picture(Self.frame(.bgraLZ4Frame), [UInt8](damaged[..<count]))
            }
            #expect(try decoder.picture(Self.frame(.bgraLZ4Frame), whole).pixels.bytes == Self.rows)
        }
    }

    @Test("frame of too few or too many bytes is a size mismatch, and a bomb allocates the rows at most")
    func frameSizeMustMatch() {
        let bomb = [UInt8](repeating: 0, count: 16 << 20)
        for contentSize in [false, true] {
            func answer(_ rows: [UInt8]) -> WireError.Code? {
                Self.answer(.bgraLZ4Frame, LZ4Encoder.frame(rows, contentSize: contentSize))
            }
            #expect(answer(Self.rows) == nil)
            #expect(answer(Self.rows.dropLast()) == .sizeMismatch)
            #expect(answer(Self.rows + [1]) == .sizeMismatch)
            #expect(answer(bomb) == .sizeMismatch)
        }
    }

    @Test("frame that is cut off anywhere is refused")
    func frameMustBeWhole() {
        let frame = LZ4Encoder.frame(Self.rows, checksums: true)
        for count in 1..<frame.count {
            #expect(Self.answer(.bgraLZ4Frame, [UInt8](frame[..<count])) == .lz4Corrupt, "cut after \(count) bytes")
        }
    }

    @Test("frame that is followed by anything is refused: garbage, another frame, a skippable frame")
    func frameMustBeAlone() {
        let frame = LZ4Encoder.frame(Self.rows)
        for surplus in [[0], frame, LZ4Encoder.skippable] {
            #expect(Self.answer(.bgraLZ4Frame, frame + surplus) == .lz4Corrupt)
        }
        #expect(Self.answer(.bgraLZ4Frame, LZ4Encoder.skippable + frame) == .lz4Corrupt)
    }

    @Test("frame with a wrong checksum is refused, and the next frame is read")
    func checksumsAreChecked() throws {
        let good = LZ4Encoder.frame(Self.rows, checksums: true)
        var bad = good
        bad[bad.count - 1] ^= 1
        let decoder = FrameDecoder(limits: PictureLimits())
        let error = #expect(throws: WireError.self) { try decoder.picture(Self.frame(.bgraLZ4Frame), bad) }
        #expect(error?.code == .lz4Corrupt)
        #expect(error?.message.contains("hecksum") == true)
        #expect(try decoder.picture(Self.frame(.bgraLZ4Frame), good).pixels.bytes == Self.rows)
    }

    @Test("frame that needs a dictionary is refused")
    func dictionariesAreRefused() {
        #expect(Self.answer(.bgraLZ4Frame, LZ4Encoder.frame(Self.rows, dictionary: 42)) == .lz4Corrupt)
    }

    /// The error of a payload.
    private static func message(_ format: FrameFormat, _ payload: [UInt8]) -> String {
        let error = #expect(throws: WireError.self) {
            try FrameDecoder(limits: PictureLimits()).picture(Self.frame(format), payload)
        }
        #expect(error?.code == .lz4Corrupt)
        return error?.message ?? ""
    }

    @Test("payload of another kind is named, with what to send")
    func otherKindsAreNamed() {
        let (block, frame) = (LZ4Encoder.block(Self.rows), LZ4Encoder.frame(Self.rows))
        // 4096, as lz4.block.compress of Python writes it by default.
        let size: [UInt8] = [0x00, 0x10, 0, 0]
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 100)
        #expect(Self.message(.bgraLZ4Block, size + block).contains("size in front"))
        #expect(Self.message(.bgraLZ4Block, frame).contains("format 4"))
        #expect(Self.message(.bgraLZ4Frame, block).contains("format 2"))
        for format in [FrameFormat.bgraLZ4Block, .bgraLZ4Frame] {
            #expect(Self.message(format, jpeg).contains("format 1"))
        }
        #expect(Self.message(.bgraLZ4Block, [UInt8](repeating: 0xFF, count: 50)).contains("damaged"))
        #expect(Self.message(.bgraLZ4Frame, Array(frame.prefix(20))).contains("cut off"))
    }

    @Test("frame that is none is refused")
    func otherBytesAreRefused() {
        #expect(Self.answer(.bgraLZ4Frame, LZ4Encoder.block(Self.rows)) == .lz4Corrupt)
        #expect(Self.answer(.bgraLZ4Frame, [4]) == .lz4Corrupt)
    }
}
