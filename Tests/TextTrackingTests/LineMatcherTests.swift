import TextModel
import Testing

@testable import TextTracking

@Suite struct LineMatcherTests {
    private static let size = (width: 400, height: 300)

    /// Brightness of a pattern of slanted waves, in which no place looks like another one near it.
    private static func brightness(_ x: Float, _ y: Float) -> Float {
        func wave(_ phase: Float) -> Float { abs(phase - 2 * (phase / 2).rounded(.down) - 1) }
        return 90 * wave((x + 0.3 * y) / 17) + 70 * wave((y - 0.2 * x) / 13) + 60 * wave((x + y) / 41)
    }

    /// The pattern, scaled about the middle of the frame.
    private static func frame(scale: Float) -> Pyramid {
        var frame = Pyramid()
        frame.full.resize(width: Self.size.width, height: Self.size.height)
        let middle = Point(x: Float(Self.size.width) / 2, y: Float(Self.size.height) / 2)
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                let value = Self.brightness(
                    (Float(x) + 0.5 - middle.x) / scale + middle.x,
                    (Float(y) + 0.5 - middle.y) / scale + middle.y
                )
                frame.full.base[y * Self.size.width + x] = UInt8(value)
            }
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
