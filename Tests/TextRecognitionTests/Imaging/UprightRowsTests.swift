import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct UprightRowsTests {
    private static let rect = PixelRect(x: 5, y: 3, width: 37, height: 41)

    /// Rows of ``rect`` of a picture in `format`, as bytes.
    private static func rows(_ view: PixelView, orientation: Orientation, by rows: inout UprightRows) -> [[UInt8]] {
        let part = UprightPart(of: view, self.rect, orientation: orientation)
        rows.rewind()
        return (0..<part.height).map { y in
            rows.hold(y..<y + 1, of: part)
            let row = rows.row(y, of: part)
            return (0..<part.width * part.format.bytesPerPixel).map { row[$0] }
        }
    }

    @Test(arguments: [PixelFormat.bgra, .gray], Orientation.allCases)
    func rowsAreThoseOfTheUprightPart(format: PixelFormat, orientation: Orientation) {
        let picture = PixelBuffer(noise: 40, width: 60, height: 50, format: format)
        let part = PixelBuffer(width: Self.rect.width, height: Self.rect.height, format: format) { x, y, channel in
            picture.bytes[((y + Self.rect.y) * 60 + x + Self.rect.x) * format.bytesPerPixel + channel]
        }.upright(from: orientation)
        let expected = (0..<part.height).map { Array(part.bytes[$0 * part.bytesPerRow..<($0 + 1) * part.bytesPerRow]) }
        var rows = UprightRows()
        #expect(picture.withPixels { Self.rows($0, orientation: orientation, by: &rows) } == expected)
        #expect(picture.withPaddedPixels(3) { Self.rows($0, orientation: orientation, by: &rows) } == expected)
    }

    @Test func rowsOfTheFrameBeforeAreForgotten() {
        var rows = UprightRows()
        for orientation in [Orientation.right, .upMirrored, .up, .right] {
            for value in [UInt8(1), 2] {
                let picture = PixelBuffer(width: 60, height: 50, format: .gray) { _, _, _ in value }
                let read = picture.withPixels { Self.rows($0, orientation: orientation, by: &rows) }
                #expect(read.joined().allSatisfy { $0 == value })
            }
        }
    }

    @Test func rowsMayBeSkipped() {
        let picture = PixelBuffer(noise: 41, width: 60, height: 50, format: .gray)
        picture.withPixels { view in
            let part = UprightPart(of: view, Self.rect, orientation: .right)
            var rows = UprightRows()
            let all = Self.rows(view, orientation: .right, by: &rows)
            rows.rewind()
            for y in [0, 15, 16, 30, 36] {
                rows.hold(y..<y + 1, of: part)
                let row = rows.row(y, of: part)
                #expect((0..<part.width).map { row[$0] } == all[y])
            }
        }
    }

    @Test(
        arguments: Orientation.allCases,
        // Fewer rows than in a strip, as many, and more; each window overlaps the next, or skips rows.
        [(1, 1), (3, 1), (5, 2), (2, 7), (15, 8), (16, 16), (17, 5), (30, 6), (37, 1)]
    )
    func allRowsOfAWindowAreHeldAtOnce(orientation: Orientation, window: (count: Int, step: Int)) {
        let picture = PixelBuffer(noise: 43, width: 60, height: 50, format: .bgra)
        picture.withPixels { view in
            let part = UprightPart(of: view, Self.rect, orientation: orientation)
            var rows = UprightRows()
            let all = Self.rows(view, orientation: orientation, by: &rows)
            rows.rewind()
            for start in stride(from: 0, through: part.height - window.count, by: window.step) {
                rows.hold(start..<start + window.count, of: part)
                for y in start..<start + window.count {
                    let row = rows.row(y, of: part)
                    #expect((0..<4 * part.width).map { row[$0] } == all[y], "row \(y) of the window at \(start)")
                }
            }
        }
    }

    @Test func rowsInOnePieceAreNotCopied() {
        let picture = PixelBuffer(noise: 42, width: 60, height: 50, format: .bgra)
        picture.withPixels { view in
            let rows = UprightRows()
            let up = rows.row(2, of: UprightPart(of: view, Self.rect, orientation: .up))
            #expect(UnsafeRawPointer(up) == view.base + 5 * 240 + 20)
            let flipped = rows.row(2, of: UprightPart(of: view, Self.rect, orientation: .downMirrored))
            #expect(UnsafeRawPointer(flipped) == view.base + 41 * 240 + 20)
        }
    }
}
