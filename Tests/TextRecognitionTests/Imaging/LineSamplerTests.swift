import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct LineSamplerTests {
    private struct Sampled {
        var tensor: [UInt8]
        var gray: [Float]
    }

    /// The line in `quad`, `width` x `height`, in a tensor of `shape`, both filled with 9s before.
    private static func sample(_ view: PixelView, _ quad: Quad, width: Int, shape: InputShape) -> Sampled {
        var sampled = Sampled(
            tensor: [UInt8](repeating: 9, count: shape.byteCount),
            gray: [Float](repeating: 9, count: width * shape.height)
        )
        sampled.tensor.withUnsafeMutableBufferPointer { tensor in
            sampled.gray.withUnsafeMutableBufferPointer { gray in
                guard let tensor = tensor.baseAddress, let gray = gray.baseAddress else { return }
                let map = Homography(width: Float(width), height: Float(shape.height), to: quad)
                LineSampler.sample(view, map: map, width: width, shape: shape, into: tensor, gray: gray)
            }
        }
        return sampled
    }

    private static func gray(_ view: PixelView, _ quad: Quad, width: Int, height: Int) -> [Float] {
        var gray = [Float](repeating: 9, count: width * height)
        let map = Homography(width: Float(width), height: Float(height), to: quad)
        LineSampler.sample(view, map: map, width: width, height: height, gray: &gray)
        return gray
    }

    @Test func pixelsOfAnUprightLineOfTheSameSizeAreCopied() {
        let picture = PixelBuffer(noise: 18, width: 60, height: 40)
        let shape = InputShape(height: 16, width: 48)
        let sampled = picture.withPixels {
            Self.sample($0, Quad(x: 11, y: 7, width: 30, height: 16), width: 30, shape: shape)
        }
        for y in 0..<16 {
            for x in 0..<30 {
                let pixel = ((y + 7) * 60 + x + 11) * 4
                let (blue, green, red) = (picture.bytes[pixel], picture.bytes[pixel + 1], picture.bytes[pixel + 2])
                for (channel, value) in [blue, green, red].enumerated() {
                    #expect(sampled.tensor[shape.index(x, y, channel)] == value)
                }
                let luma = 0.114 * Float(blue) + 0.587 * Float(green) + 0.299 * Float(red)
                #expect(abs(sampled.gray[y * 30 + x] - luma) < 0.01)
            }
        }
    }

    @Test func theRestOfTheInputIsPadding() {
        let picture = PixelBuffer(width: 60, height: 40, format: .bgra) { _, _, _ in 255 }
        let shape = InputShape(height: 16, width: 48)
        let sampled = picture.withPixels {
            Self.sample($0, Quad(x: 11, y: 7, width: 30, height: 16), width: 30, shape: shape)
        }
        for (index, value) in sampled.tensor.enumerated() {
            #expect(value == (index / 3 % 48 < 30 ? 255 : InputShape.paddingValue))
        }
    }

    @Test func aLineThatFillsTheInputHasNoPadding() {
        let picture = PixelBuffer(width: 60, height: 40, format: .gray) { _, _, _ in 31 }
        let quad = Quad(x: 11, y: 7, width: 30, height: 16)
        let sampled = picture.withPixels { Self.sample($0, quad, width: 30, shape: InputShape(height: 16, width: 30)) }
        #expect(sampled.tensor.allSatisfy { $0 == 31 })
    }

    @Test(arguments: [0.25, 0.4, 0.6, 0.8] as [Float])
    func numbersAreRoundedToTheNearestByte(shift: Float) {
        // The brightness of a column is ten times its index.
        let picture = PixelBuffer(width: 20, height: 20, format: .gray) { x, _, _ in UInt8(10 * x) }
        let shape = InputShape(height: 8, width: 8)
        let quad = Quad(x: 4 + shift, y: 4, width: 8, height: 8)
        let sampled = picture.withPixels { Self.sample($0, quad, width: 8, shape: shape) }
        for x in 0..<8 {
            let value = 10 * (4 + shift + Float(x))
            for channel in 0..<3 { #expect(abs(Float(sampled.tensor[shape.index(x, 3, channel)]) - value) < 0.51) }
        }
    }

    @Test func brightnessAloneIsTheSameAsBesideATensor() {
        let picture = PixelBuffer(noise: 19, width: 60, height: 40)
        let quad = Quad(x: 3, y: 4, width: 44, height: 30).turned(1)
        picture.withPixels { view in
            let both = Self.sample(view, quad, width: 30, shape: InputShape(height: 16, width: 32))
            #expect(Self.gray(view, quad, width: 30, height: 16).difference(from: both.gray) == 0)
        }
    }

    @Test(arguments: 0...3)
    func aTurnedQuadIsReadInItsOwnDirection(quarterTurns: Int) {
        let picture = PixelBuffer(noise: 20, width: 60, height: 60, format: .gray)
        let quad = Quad(x: 10, y: 20, width: 24, height: 16).turned(quarterTurns)
        let (width, height) = quarterTurns.isMultiple(of: 2) ? (24, 16) : (16, 24)
        let sampled = picture.withPixels { Self.gray($0, quad, width: width, height: height) }
        let turned = picture.upright(from: [.up, .left, .down, .right][quarterTurns])
        let origin = [(10, 20), (20, 26), (26, 24), (24, 10)][quarterTurns]
        for y in 0..<height {
            for x in 0..<width {
                let expected = Float(turned.bytes[(origin.1 + y) * 60 + origin.0 + x])
                #expect(abs(sampled[y * width + x] - expected) < 0.01)
            }
        }
    }

    @Test(arguments: Orientation.allCases)
    func aLineOfAFrameInAnyOrientationIsTheLineOfTheUprightPicture(orientation: Orientation) {
        let picture = PixelBuffer(noise: 21, width: 90, height: 60)
        let rect = RotatedRect(centre: Point(x: 44, y: 31), axis: Point(x: 0.96, y: 0.28), width: 50, height: 18)
        let upright = picture.withPixels { Self.gray($0, rect.quad, width: 64, height: 24) }
        let sampled = picture.sent(as: orientation).withPixels {
            Self.gray($0, UprightFrame($0, orientation: orientation).sent(rect.quad), width: 64, height: 24)
        }
        #expect(sampled.difference(from: upright) < 0.1)
    }

    @Test func whatLiesOutsideTheFrameRepeatsItsEdge() {
        let picture = PixelBuffer(width: 20, height: 10, format: .gray) { x, y, _ in UInt8(x * 10 + y) }
        let sampled = picture.withPixels {
            Self.gray($0, Quad(x: -5, y: -4, width: 30, height: 18), width: 30, height: 18)
        }
        for y in 0..<18 {
            for x in 0..<30 {
                let expected = Float(min(max(x - 5, 0), 19) * 10 + min(max(y - 4, 0), 9))
                #expect(abs(sampled[y * 30 + x] - expected) < 0.01)
            }
        }
    }

    @Test func aLineThatIsLargerInTheFrameIsAveraged() {
        // Single columns of ink: samples at a distance of four would miss most of them.
        let picture = PixelBuffer(width: 240, height: 160, format: .gray) { x, _, _ in x.isMultiple(of: 4) ? 0 : 200 }
        let sampled = picture.withPixels {
            Self.gray($0, Quad(x: 20, y: 20, width: 160, height: 96), width: 40, height: 24)
        }
        for value in sampled { #expect(abs(value - 150) < 1) }
    }

    @Test(arguments: [PixelFormat.bgra, .gray])
    func rowsMayBeLongerThanTheirPixels(format: PixelFormat) {
        let picture = PixelBuffer(noise: 22, width: 33, height: 21, format: format)
        let quad = Quad(x: -2, y: -2, width: 37, height: 25)
        let packed = picture.withPixels { Self.gray($0, quad, width: 50, height: 30) }
        let padded = picture.withPaddedPixels(5) { Self.gray($0, quad, width: 50, height: 30) }
        #expect(padded.difference(from: packed) == 0)
    }

    @Test func grayEqualsColourOfThreeEqualChannels() {
        let gray = PixelBuffer(noise: 23, width: 61, height: 43, format: .gray)
        let colour = gray.withPixels { PixelBuffer(copyingInColour: $0) }
        let quad = Quad(x: 5, y: 6, width: 40.5, height: 20.25)
        let shape = InputShape(height: 24, width: 64)
        let fromGray = gray.withPixels { Self.sample($0, quad, width: 50, shape: shape) }
        let fromColour = colour.withPixels { Self.sample($0, quad, width: 50, shape: shape) }
        #expect(fromGray.tensor == fromColour.tensor)
        #expect(fromGray.gray.difference(from: fromColour.gray) < 0.01)
    }

    @Test(arguments: [(1, 1), (1, 30), (30, 1)])
    func aFrameOfOneRowOrColumnHasNoNeighboursToMix(width: Int, height: Int) {
        let picture = PixelBuffer(width: width, height: height, format: .gray) { _, _, _ in 80 }
        let quad = Quad(x: -3, y: -3, width: Float(width + 6), height: Float(height + 6))
        let sampled = picture.withPixels { Self.gray($0, quad, width: 20, height: 10) }
        for value in sampled { #expect(abs(value - 80) < 0.01) }
    }

    @Test(
        arguments: [
            // One point, a segment, a quad that crosses itself, one with its horizon inside, and far too large ones.
            [(5, 5), (5, 5), (5, 5), (5, 5)], [(0, 0), (9, 0), (9, 0), (0, 0)], [(0, 0), (9, 9), (9, 0), (0, 9)],
            [(0, 0), (9, 0), (3, 3), (0, 9)], [(0, 0), (9, 0), (4.5, 4.5), (0, 9)],
            [(-1e30, 0), (1e30, 0), (1e30, 1e30), (-1e30, 1e30)], [(0, 0), (.infinity, 0), (9, 9), (0, 9)],
            [(.nan, 0), (9, 0), (9, 9), (0, 9)],
        ] as [[(Float, Float)]]
    )
    func aQuadThatIsNoneYieldsValuesOfTheFrame(corners: [(Float, Float)]) {
        let picture = PixelBuffer(noise: 24, width: 20, height: 10, format: .gray)
        let points = corners.map { Point(x: $0.0, y: $0.1) }
        let quad = Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        let sampled = picture.withPixels { Self.gray($0, quad, width: 16, height: 8) }
        for value in sampled { #expect((-0.01...255.01).contains(value)) }
        // Any pixels of the frame are accepted; only a non-finite number is not.
        let both = picture.withPixels { Self.sample($0, quad, width: 16, shape: InputShape(height: 8, width: 16)) }
        for (byte, value) in zip(stride(from: 0, to: both.tensor.count, by: 3).map { both.tensor[$0] }, sampled) {
            #expect(abs(Float(byte) - value) < 0.51)
        }
    }
}
