import ImageCodecs
import GlyphwireProtocol
import TextModel
import TestSupport
import TextRecognition
import Testing

@testable import FramePipeline

/// Irregular or damaged JPEG files, read by a worker.
@Suite struct DamagedFrameTests {
    /// A gray picture of 64 x 64 pixels with content in each of its eight rows of blocks.
    static let jpeg: [UInt8] = {
        var state: UInt32 = 7411
        let pixels = (0..<64 * 64).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        return pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return [] }
            let view = PixelView(base: base, width: 64, height: 64, bytesPerRow: 64, format: .gray)
            return (try? JPEGEncoder().encode(view)) ?? []
        }
    }()

    /// A reader that finds a line in each row of blocks, with the row where it ends as its text.
    private static func reader() -> StubReader {
        StubReader { pixels, _, _ in
            let lines = stride(from: 8, through: pixels.height, by: 8).map { bottom in
                var line = Reading.text("\(bottom)").lines[0]
                let (top, bottom) = (Float(bottom - 8), Float(bottom))
                line.box = Quad(
                    topLeft: Point(x: 0, y: top),
                    topRight: Point(x: 9, y: top),
                    bottomRight: Point(x: 9, y: bottom),
                    bottomLeft: Point(x: 0, y: bottom)
                )
                return line
            }
            return Reading(lines: lines, detect: .zero, recognize: .zero)
        }
    }

    private func read(_ jpeg: [UInt8], _ damaged: DamagedFrames, orientation: UInt8 = 0) throws -> FrameResult.Outcome {
        let header = MessageHeader(
            type: .frame,
            format: .jpeg,
            orientation: orientation,
            payloadByteCount: jpeg.count
        )
        return FrameProcessor(reader: Self.reader(), limits: WireLimits()).read(
            try FrameDescription(header: header, limits: WireLimits()),
            payload: jpeg.span.bytes,
            configuration: StreamConfiguration(damaged: damaged),
            sequence: 1
        ).outcome
    }

    @Test(arguments: DamagedFrames.allCases)
    func irregularitiesAreReported(damaged: DamagedFrames) throws {
        guard case .ok(let regular) = try self.read(Self.jpeg, damaged),
            case .ok(let text) = try self.read([UInt8](Self.jpeg.dropLast(2)), damaged)
        else {
            Issue.record("not read")
            return
        }
        #expect(regular.warnings.isEmpty && regular.lines.count == 8)
        #expect(text.warnings == [FrameWarning(.jpegNoEnd)] && text.text == regular.text)
    }

    @Test(arguments: [1, 3, 6, 8] as [UInt8])
    func onlyLinesAboveTheDamageAreReported(orientation: UInt8) throws {
        let cut = [UInt8](Self.jpeg[..<(Self.jpeg.count - 1400)])
        guard case .error(let error) = try self.read(cut, .refuse, orientation: orientation) else {
            Issue.record("a damaged frame was read")
            return
        }
        #expect(error.code == .jpegCorrupt)
        guard case .ok(let text) = try self.read(cut, .read, orientation: orientation) else {
            Issue.record("the rows above the damage were not read")
            return
        }
        let row = try #require(text.warnings.last?.row)
        #expect(text.warnings.map(\.code) == [.jpegDamaged])
        #expect((8..<64).contains(row) && row % 8 == 0)
        #expect(text.lines.map(\.text) == stride(from: 8, through: row, by: 8).map { "\($0)" })
        #expect(text.width == 64 && text.height == 64)
    }

    @Test func whatIsDamagedFromItsFirstRowOnIsRefused() throws {
        let cut = [UInt8](Self.jpeg[..<500])
        guard case .error(let error) = try self.read(cut, .read) else {
            Issue.record("a frame without rows was read")
            return
        }
        #expect(error.code == .jpegCorrupt)
    }
}
