import TextModel
import Testing

@testable import TextTracking

@Suite struct LineMatcherTests {
    private static let size = (width: 400, height: 300)

    /// The pattern of waves, scaled about the middle of the frame, with a white box.
    private static func frame(scale: Float, white: Box = Box(left: 0, top: 0, right: 0, bottom: 0)) -> Pyramid {
        var frame = Pyramid()
        frame.full.resize(width: Self.size.width, height: Self.size.height)
        let middle = Point(x: Float(Self.size.width) / 2, y: Float(Self.size.height) / 2)
        frame.full.drawWaves { Point(x: ($0.x - middle.x) / scale + middle.x, y: ($0.y - middle.y) / scale + middle.y) }
        for y in white.top..<white.bottom {
            for x in white.left..<white.right { frame.full.base[y * Self.size.width + x] = 255 }
        }
        frame.reduce()
        return frame
    }

    /// Scale with which a line in the middle of the frame is matched after it came nearer.
    private static func scale(width: Int, height: Int) throws -> Float {
        let (x, y) = (Self.size.width / 2, Self.size.height / 2)
        let box = Box(left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2)
        let earlier = Self.frame(scale: 1)
        let later = Self.frame(scale: 1.06)
        var matcher = LineMatcher()
        let match = matcher.match(LineTemplate(Quad(box), in: earlier.full), in: later, prediction: .identity)
        return try #require(match).motion.a
    }

    /// Difference of a line in whose place a box is white.
    private static func difference(of line: Box, white: Box) throws -> Float {
        let earlier = Self.frame(scale: 1)
        let later = Self.frame(scale: 1, white: white)
        var matcher = LineMatcher()
        let match = matcher.match(LineTemplate(Quad(line), in: earlier.full), in: later, prediction: .identity)
        return try #require(match).difference
    }

    /// The squares that are compared, of 6 and 7 pixels in steps of 3, do not divide these lines.
    @Test func aChangeOfTheLastColumnsOrRowsIsADifference() throws {
        let line = Box(left: 100, top: 120, right: 250, bottom: 142)
        #expect(try Self.difference(of: line, white: Box(left: 249, top: 124, right: 251, bottom: 138)) > 0.15)
        let higher = Box(left: 100, top: 120, right: 250, bottom: 148)
        #expect(try Self.difference(of: higher, white: Box(left: 160, top: 147, right: 180, bottom: 149)) > 0.15)
        #expect(try Self.difference(of: line, white: Box(left: 300, top: 124, right: 302, bottom: 138)) < 0.05)
    }

    @Test(arguments: [.nan, .infinity, 1e19] as [Float]) func aDegenerateLineHasATemplate(side: Float) {
        let frame = Self.frame(scale: 1)
        let high = LineTemplate(Quad(x: 0, y: 0, width: 50, height: side), in: frame.full)
        let wide = LineTemplate(Quad(x: 0, y: 0, width: side, height: 20), in: frame.full)
        #expect((8...32).contains(high.full.height) && (8...1600).contains(wide.full.width))
    }

    @Test func aMatchDependsOnNoneBeforeIt() {
        let earlier = Self.frame(scale: 1)
        let later = Self.frame(scale: 1.06)
        let line = LineTemplate(Quad(Box(left: 120, top: 140, right: 280, bottom: 160)), in: earlier.full)
        let larger = LineTemplate(Quad(Box(left: 130, top: 110, right: 270, bottom: 190)), in: earlier.full)
        var matcher = LineMatcher()
        let first = matcher.match(line, in: later, prediction: .identity)
        let between = matcher.match(larger, in: later, prediction: .identity)
        let again = matcher.match(line, in: later, prediction: .identity)
        #expect(first != nil && between != nil && again == first)
    }

    @Test func aLineWithoutContrastIsMatchedNowhere() {
        let white = Box(left: 100, top: 100, right: 300, bottom: 200)
        let frame = Self.frame(scale: 1, white: white)
        let line = LineTemplate(Quad(Box(left: 120, top: 140, right: 280, bottom: 160)), in: frame.full)
        var matcher = LineMatcher()
        let match = matcher.match(line, in: frame, prediction: .identity)
        #expect(match == nil)
    }

    @Test func aLineThatComesNearerIsMatchedAtItsNewSize() throws {
        #expect(abs(try Self.scale(width: 160, height: 20) - 1.06) < 0.01)
    }

    @Test func aShortLineIsMatchedAtItsNewSizeIfItIsLarge() throws {
        #expect(abs(try Self.scale(width: 140, height: 80) - 1.06) < 0.01)
        #expect(try Self.scale(width: 36, height: 20) == 1)
    }
}
