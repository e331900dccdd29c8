import TextModel
import Testing

@testable import TextTracking

@Suite struct LineMatcherTests {
    private static let size = (width: 400, height: 300)

    /// The pattern of waves, scaled about the middle of the frame.
    private static func frame(scale: Float) -> Pyramid {
        var frame = Pyramid()
        frame.full.resize(width: Self.size.width, height: Self.size.height)
        let middle = Point(x: Float(Self.size.width) / 2, y: Float(Self.size.height) / 2)
        frame.full.drawWaves { Point(x: ($0.x - middle.x) / scale + middle.x, y: ($0.y - middle.y) / scale + middle.y) }
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
        let match = matcher.match(LinePatch(Quad(box), in: earlier.full), in: later, prediction: .identity)
        return try #require(match).motion.a
    }

    @Test func aLineThatComesNearerIsMatchedAtItsNewSize() throws {
        #expect(abs(try Self.scale(width: 160, height: 20) - 1.06) < 0.01)
    }

    @Test func aShortLineIsMatchedAtItsNewSizeIfItIsLarge() throws {
        #expect(abs(try Self.scale(width: 140, height: 80) - 1.06) < 0.01)
        #expect(try Self.scale(width: 36, height: 20) == 1)
    }
}
