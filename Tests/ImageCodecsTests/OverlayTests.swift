import Foundation
import ImageCodecs
import FrameOverlay
import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@Suite("Overlay")
struct OverlayTests {
    static func box(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> Quad {
        Quad(
            topLeft: Point(x: left, y: top),
            topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: left, y: bottom)
        )
    }

    static func line(_ word: Quad, characters: [Quad] = []) -> TextLine {
        let characters = characters.map { TextCharacter(text: "x", confidence: 1, box: $0) }
        let word = TextWord(text: "x", confidence: 1, box: word, characters: characters)
        return TextLine(text: "x", confidence: 1, box: word.box, words: [word])
    }

    /// Blue, green and red of a pixel.
    static func pixel(_ picture: PixelBuffer, _ column: Int, _ row: Int) -> [Int] {
        let offset = row * picture.bytesPerRow + column * 4
        return picture.bytes[offset..<offset + 3].map(Int.init)
    }

    static let black = PixelBuffer(width: 200, height: 100, format: .gray)

    @Test("draws words in red and characters in blue, and leaves the rest alone")
    func coloursAreRight() {
        var overlay = Overlay(on: Self.black)
        overlay.draw([Self.line(Self.box(20.5, 20.5, 160.5, 80.5), characters: [Self.box(40.5, 30.5, 60.5, 70.5)])])
        let (red, blue) = (Self.pixel(overlay.picture, 100, 20), Self.pixel(overlay.picture, 40, 50))
        #expect(red[2] > 200 && red[0] < 60)
        #expect(blue[0] > 200 && blue[2] < 60)
        for (column, row) in [(0, 0), (100, 50), (50, 50), (100, 16), (199, 99)] {
            #expect(Self.pixel(overlay.picture, column, row) == [0, 0, 0])
        }
    }

    @Test("draws slanted lines smoothly: as much colour in every part, and no hard steps")
    func slantedLinesAreSmooth() {
        var overlay = Overlay(on: Self.black)
        let corner = Point(x: 10, y: 20)
        let end = Point(x: 190, y: 57)
        overlay.draw(
            Quad(topLeft: corner, topRight: end, bottomRight: end, bottomLeft: corner),
            in: Colour(red: 255, green: 255, blue: 255),
            width: 2
        )
        for column in stride(from: 20, to: 180, by: 7) {
            let ink = (0..<100).map { Self.pixel(overlay.picture, column, $0)[0] }
            // A line drawn there and back doubles the smooth edge, which is at most two half pixels.
            #expect((500...800).contains(ink.reduce(0, +)))
            #expect(ink.contains { (1...254).contains($0) })
        }
    }

    @Test("draws wider lines in larger pictures")
    func widthScales() {
        func redColumns(_ width: Int) -> Int {
            var overlay = Overlay(on: PixelBuffer(width: width, height: 60, format: .gray))
            overlay.draw([Self.line(Self.box(20, 20, 50, 40))])
            return (10..<30).count { Self.pixel(overlay.picture, $0, 30)[2] > 100 }
        }
        #expect(redColumns(100) == 2)
        #expect(redColumns(5120) > 5)
    }

    @Test("stays in the picture for any coordinates")
    func anyCoordinatesAreSafe() {
        let values: [Float] = [
            0, -0.5, 50, 99.9, 200, -1e6, 1e6, 1e30, -1e38, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
            -.infinity, .nan,
        ]
        var numbers = SplitMix64(7411)
        var overlay = Overlay(on: Self.black)
        for _ in 0..<3000 {
            func point() -> Point {
                Point(
                    x: values.randomElement(using: &numbers) ?? 0,
                    y: values.randomElement(using: &numbers) ?? 0
                )
            }
            let quad = Quad(topLeft: point(), topRight: point(), bottomRight: point(), bottomLeft: point())
            overlay.draw([Self.line(quad, characters: [quad])])
        }
        #expect(overlay.picture.bytes.count == 200 * 100 * 4)
    }

    @Test("of a box with a corner that is no number, or wholly outside, draws nothing")
    func nothingIsDrawnOutside() {
        var overlay = Overlay(on: Self.black)
        let before = overlay.picture
        overlay.draw([
            Self.line(Self.box(.nan, 20, 50, 40)),
            Self.line(Self.box(-500, -500, -400, -400)),
            Self.line(Self.box(400, 20, 500, 40)),
            Self.line(Self.box(-100, -100, 1000, 1000)),
        ])
        #expect(overlay.picture == before)
    }

    @Test("is written as it was sent, or upright", arguments: Orientation.allCases)
    func writesUpright(orientation: Orientation) throws {
        var overlay = Overlay(on: Self.black)
        overlay.draw([Self.line(Self.box(20, 20, 50, 40))])
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "overlay.png").path
        try overlay.write(to: path)
        #expect(try PictureFile(path: path).picture().pixels == overlay.picture)
        try overlay.write(to: path, uprightFrom: orientation)
        #expect(try PictureFile(path: path).picture().pixels == overlay.picture.upright(from: orientation))
    }
}
