import FrameCodecs
import GlyphwireProtocol
import Testing

@testable import TextEngine

@Suite struct TensorResizerTests {
    private static let plain = Normalization(mean: .zero, deviation: .init(repeating: 1))

    /// What a part of a picture becomes; the tensor is full of 9s before.
    private static func resize(
        _ view: PixelView,
        rect: PixelRect? = nil,
        orientation: Orientation = .up,
        to size: (width: Int, height: Int),
        shape: InputShape,
        normalization: Normalization = plain
    ) -> [Float] {
        var resizer = TensorResizer()
        return Self.resize(
            view,
            rect: rect,
            orientation: orientation,
            to: size,
            shape: shape,
            normalization: normalization,
            by: &resizer
        )
    }

    private static func resize(
        _ view: PixelView,
        rect: PixelRect? = nil,
        orientation: Orientation = .up,
        to size: (width: Int, height: Int),
        shape: InputShape,
        normalization: Normalization = plain,
        by resizer: inout TensorResizer
    ) -> [Float] {
        var tensor = [Float](repeating: 9, count: 3 * shape.planeCount)
        tensor.withUnsafeMutableBufferPointer { tensor in
            resizer.resize(
                view,
                rect: rect ?? PixelRect(x: 0, y: 0, width: view.width, height: view.height),
                orientation: orientation,
                to: size,
                shape: shape,
                normalization: normalization,
                into: tensor
            )
        }
        return tensor
    }

    @Test func theSameSizeCopiesEveryChannelIntoItsPlane() {
        let picture = PixelBuffer(noise: 12, width: 40, height: 25)
        let tensor = picture.withPixels {
            Self.resize($0, to: (40, 25), shape: InputShape(height: 32, width: 64))
        }
        for channel in 0..<3 {
            for y in 0..<25 {
                for x in 0..<40 {
                    let value = Float(picture.bytes[(y * 40 + x) * 4 + channel])
                    #expect(abs(tensor[channel * 2048 + y * 64 + x] * 255 - value) < 1e-3)
                }
            }
        }
    }

    @Test func valuesAreNormalisedChannelByChannel() {
        let picture = PixelBuffer(width: 8, height: 8, format: .bgra) { _, _, channel in [51, 102, 204, 255][channel] }
        let tensor = picture.withPixels {
            Self.resize(
                $0,
                to: (8, 8),
                shape: InputShape(height: 8, width: 8),
                normalization: Normalization(mean: [0.1, 0.2, 0.3], deviation: [0.5, 0.25, 0.1])
            )
        }
        for (channel, expected) in [0.2, 0.8, 5.0].enumerated() as EnumeratedSequence<[Float]> {
            #expect(abs(tensor[channel * 64 + 27] - expected) < 1e-5)
        }
    }

    @Test(arguments: [(7, 5), (64, 64), (100, 37), (333, 200)], [(64, 64), (61, 33), (8, 5)])
    func whatIsAllOfOneColourStaysSo(source: (Int, Int), target: (Int, Int)) {
        let picture = PixelBuffer(width: source.0, height: source.1, format: .bgra) { _, _, channel in
            [13, 128, 250, 77][channel]
        }
        let shape = InputShape(height: 64, width: 64)
        let tensor = picture.withPixels { Self.resize($0, to: target, shape: shape) }
        for (channel, value) in [13, 128, 250].enumerated() as EnumeratedSequence<[Float]> {
            for y in 0..<target.1 {
                for x in 0..<target.0 {
                    #expect(abs(tensor[channel * 4096 + y * 64 + x] * 255 - value) < 1e-3)
                }
            }
        }
    }

    @Test func whatThePictureLeavesOfTheInputIsZero() {
        let picture = PixelBuffer(noise: 13, width: 30, height: 20)
        let shape = InputShape(height: 32, width: 64)
        for orientation in Orientation.allCases {
            // No pixel becomes zero by this one.
            let normalization = Normalization(mean: .init(repeating: -1), deviation: .init(repeating: 1))
            let tensor = picture.sent(as: orientation).withPixels {
                Self.resize($0, orientation: orientation, to: (45, 30), shape: shape, normalization: normalization)
            }
            for (index, value) in tensor.enumerated() {
                let (x, y) = (index % 64, index / 64 % 32)
                #expect((x >= 45 || y >= 30) == (value == 0), "at \(x), \(y) as \(orientation)")
            }
        }
    }

    @Test(arguments: [PixelFormat.bgra, .gray], [(90, 60), (31, 17), (61, 43), (200, 150), (3, 2)])
    func allOrientationsOfOnePictureGiveTheSameTensor(format: PixelFormat, size: (Int, Int)) {
        let picture = PixelBuffer(noise: 14, width: 61, height: 43, format: format)
        let shape = InputShape(height: 160, width: 224)
        let upright = picture.withPixels { Self.resize($0, to: size, shape: shape) }
        for orientation in Orientation.allCases {
            let tensor = picture.sent(as: orientation).withPixels {
                Self.resize($0, orientation: orientation, to: size, shape: shape)
            }
            #expect(tensor.difference(from: upright) == 0, "as \(orientation)")
        }
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
        #expect(within.difference(from: alone) == 0)
    }

    @Test(arguments: [(61, 43), (30, 20), (122, 90)])
    func grayEqualsColourOfThreeEqualChannels(size: (Int, Int)) {
        let gray = PixelBuffer(noise: 16, width: 61, height: 43, format: .gray)
        let colour = gray.withPixels { PixelBuffer(copyingInColour: $0) }
        let shape = InputShape(height: 96, width: 128)
        let fromGray = gray.withPixels { Self.resize($0, to: size, shape: shape) }
        let fromColour = colour.withPixels { Self.resize($0, to: size, shape: shape) }
        #expect(fromGray.difference(from: fromColour) == 0)
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
            #expect(padded.difference(from: packed) == 0)
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
                #expect(used.difference(from: fresh) == 0)
            }
        }
    }
}
