import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct TensorResizerTests {
    /// Resizes a part of a picture.
    private static func resize(
        _ view: PixelView,
        rect: PixelRect? = nil,
        orientation: Orientation = .up,
        to size: (width: Int, height: Int),
        shape: InputShape
    ) -> [UInt8] {
        var resizer = TensorResizer()
        return Self.resize(view, rect: rect, orientation: orientation, to: size, shape: shape, by: &resizer)
    }

    /// Resizes into an input filled with 9s, like the memory after it, which must stay unchanged.
    private static func resize(
        _ view: PixelView,
        rect: PixelRect? = nil,
        orientation: Orientation = .up,
        to size: (width: Int, height: Int),
        shape: InputShape,
        by resizer: inout TensorResizer
    ) -> [UInt8] {
        var memory = [UInt8](repeating: 9, count: shape.byteCount + 16)
        memory.withUnsafeMutableBufferPointer { memory in
            resizer.resize(
                view,
                rect: rect ?? PixelRect(x: 0, y: 0, width: view.width, height: view.height),
                orientation: orientation,
                to: size,
                slot: PixelRect(x: 0, y: 0, width: shape.width, height: shape.height),
                shape: shape,
                into: UnsafeMutableBufferPointer(rebasing: memory[..<shape.byteCount])
            )
        }
        #expect(memory[shape.byteCount...].allSatisfy { $0 == 9 }, "nothing is written past the input")
        return Array(memory[..<shape.byteCount])
    }

    @Test(arguments: [PixelFormat.bgra, .gray], [(40, 25), (64, 32), (1, 1), (1, 32), (64, 1)])
    func theSameSizeCopiesEveryPixel(format: PixelFormat, size: (Int, Int)) {
        let (width, height) = size
        let picture = PixelBuffer(noise: 12, width: width, height: height, format: format)
        let shape = InputShape(height: 32, width: 64)
        let tensor = picture.withPixels { Self.resize($0, to: size, shape: shape) }
        for channel in 0..<3 {
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = (y * width + x) * format.bytesPerPixel
                    let expected = picture.bytes[pixel + (format == .gray ? 0 : channel)]
                    #expect(tensor[shape.index(x, y, channel)] == expected)
                }
            }
        }
    }

    @Test(arguments: [PixelFormat.bgra, .gray], Orientation.allCases)
    func aPictureThatIsCopiedIsTheOneThatIsResized(format: PixelFormat, orientation: Orientation) {
        let shape = InputShape(height: 64, width: 64)
        let noise = PixelBuffer(noise: 10, width: 41, height: 41, format: format)
        // If all rows are equal, a picture of more rows is the same picture; likewise for columns.
        for (width, height, step) in [(41, 28, (1, 0)), (28, 41, (0, 1))] {
            func picture(_ width: Int, _ height: Int) -> PixelBuffer {
                PixelBuffer(width: width, height: height, format: format) { x, y, channel in
                    noise.bytes[(step.0 * x + step.1 * y) * format.bytesPerPixel + channel]
                }
            }
            let copied = picture(41, 41).sent(as: orientation).withPixels {
                Self.resize($0, orientation: orientation, to: (41, 41), shape: shape)
            }
            let resized = picture(width, height).sent(as: orientation).withPixels {
                Self.resize($0, orientation: orientation, to: (41, 41), shape: shape)
            }
            #expect(copied == resized)
        }
    }

    @Test func numbersAreRoundedToTheNearestByte() {
        // Between 10 and 13 lie 10.75 and 12.25.
        let picture = PixelBuffer(width: 2, height: 1, format: .gray) { x, _, _ in x == 0 ? 10 : 13 }
        let tensor = picture.withPixels { Self.resize($0, to: (4, 1), shape: InputShape(height: 1, width: 4)) }
        #expect(tensor == [10, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13])
    }

    @Test(arguments: [(7, 5), (64, 64), (100, 37), (333, 200)], [(64, 64), (61, 33), (8, 5)])
    func whatIsAllOfOneColourStaysSo(source: (Int, Int), target: (Int, Int)) {
        // With the extremes of a byte: no sum of weights may exceed them.
        let colour: [UInt8] = [0, 128, 255, 77]
        let picture = PixelBuffer(width: source.0, height: source.1, format: .bgra) { _, _, channel in colour[channel] }
        let shape = InputShape(height: 64, width: 64)
        let tensor = picture.withPixels { Self.resize($0, to: target, shape: shape) }
        for (channel, value) in colour[..<3].enumerated() {
            for y in 0..<target.1 {
                for x in 0..<target.0 { #expect(tensor[shape.index(x, y, channel)] == value) }
            }
        }
    }

    @Test(arguments: [(45, 30), (30, 20)])
    func theRestOfTheInputIsPadding(size: (Int, Int)) {
        // No pixel has the value of padding, or is mixed to it.
        let picture = PixelBuffer(width: 30, height: 20, format: .bgra) { x, y, channel in
            UInt8(128 + (x * 7 + y * 11 + channel * 13) % 128)
        }
        let shape = InputShape(height: 32, width: 64)
        for orientation in Orientation.allCases {
            let tensor = picture.sent(as: orientation).withPixels {
                Self.resize($0, orientation: orientation, to: size, shape: shape)
            }
            for (index, value) in tensor.enumerated() {
                let (x, y) = (index / 3 % 64, index / 3 / 64)
                let isPadding = x >= size.0 || y >= size.1
                #expect(isPadding == (value == InputShape.paddingValue), "at \(x), \(y) as \(orientation)")
            }
        }
    }

    @Test(arguments: [PixelFormat.bgra, .gray], [(90, 60), (31, 17), (61, 43), (200, 150), (3, 2), (1, 1)])
    func allOrientationsOfOnePictureGiveTheSameTensor(format: PixelFormat, size: (Int, Int)) {
        let picture = PixelBuffer(noise: 14, width: 61, height: 43, format: format)
        let shape = InputShape(height: 160, width: 224)
        let upright = picture.withPixels { Self.resize($0, to: size, shape: shape) }
        for orientation in Orientation.allCases {
            let tensor = picture.sent(as: orientation).withPixels {
                Self.resize($0, orientation: orientation, to: size, shape: shape)
            }
            #expect(tensor == upright, "as \(orientation)")
        }
    }

    @Test(arguments: [PixelFormat.bgra, .gray], Orientation.allCases)
    func aLargeReductionIsTheSameInAllOrientations(format: PixelFormat, orientation: Orientation) {
        // A row of the result depends on more rows than a strip of a rotated frame has.
        let picture = PixelBuffer(noise: 11, width: 230, height: 410, format: format)
        let shape = InputShape(height: 32, width: 32)
        let upright = picture.withPixels { Self.resize($0, to: (7, 13), shape: shape) }
        let tensor = picture.sent(as: orientation).withPixels {
            Self.resize($0, orientation: orientation, to: (7, 13), shape: shape)
        }
        #expect(tensor == upright)
    }

    @Test(arguments: Orientation.allCases)
    func aPartIsResizedAsIfItWereAPictureOfItsOwn(orientation: Orientation) {
        let picture = PixelBuffer(noise: 15, width: 70, height: 50)
        let rect = PixelRect(x: 11, y: 7, width: 33, height: 21)
        let part = PixelBuffer(width: rect.width, height: rect.height, format: .bgra) { x, y, channel in
            picture.bytes[((y + rect.y) * picture.width + x + rect.x) * 4 + channel]
        }
        let size = orientation.swapsAxes ? (width: 19, height: 44) : (width: 44, height: 19)
        let shape = InputShape(height: 64, width: 64)
        let alone = part.withPixels { Self.resize($0, orientation: orientation, to: size, shape: shape) }
        let within = picture.withPixels {
            Self.resize($0, rect: rect, orientation: orientation, to: size, shape: shape)
        }
        #expect(within == alone)
    }

    @Test(arguments: [(61, 43), (30, 20), (122, 90)])
    func grayEqualsColourOfThreeEqualChannels(size: (Int, Int)) {
        let gray = PixelBuffer(noise: 16, width: 61, height: 43, format: .gray)
        let colour = gray.withPixels { PixelBuffer(copyingInColour: $0) }
        let shape = InputShape(height: 96, width: 128)
        let fromGray = gray.withPixels { Self.resize($0, to: size, shape: shape) }
        let fromColour = colour.withPixels { Self.resize($0, to: size, shape: shape) }
        #expect(fromGray == fromColour)
    }

    @Test(arguments: [1, 3, 64], [PixelFormat.bgra, .gray])
    func rowsMayBeLongerThanTheirPixels(padding: Int, format: PixelFormat) {
        let picture = PixelBuffer(noise: 17, width: 33, height: 21, format: format)
        let shape = InputShape(height: 64, width: 64)
        for orientation in [Orientation.up, .right] {
            let size = orientation.swapsAxes ? (width: 31, height: 50) : (width: 50, height: 31)
            let packed = picture.withPixels { Self.resize($0, orientation: orientation, to: size, shape: shape) }
            let padded = picture.withPaddedPixels(padding) {
                Self.resize($0, orientation: orientation, to: size, shape: shape)
            }
            #expect(padded == packed)
        }
    }

    @Test func aResizerForgetsTheFrameBefore() {
        var resizer = TensorResizer()
        let shape = InputShape(height: 96, width: 96)
        for (seed, (width, height)) in [(80, 60), (20, 90), (200, 10), (80, 60), (1, 1)].enumerated() {
            for orientation in [Orientation.up, .left, .downMirrored] {
                let picture = PixelBuffer(noise: UInt64(seed), width: width, height: height)
                let size = (width: 50 + seed, height: 70)
                let fresh = picture.withPixels { Self.resize($0, orientation: orientation, to: size, shape: shape) }
                let used = picture.withPixels {
                    Self.resize($0, orientation: orientation, to: size, shape: shape, by: &resizer)
                }
                #expect(used == fresh)
            }
        }
    }
}
