import GlyphwireProtocol
import ImageCodecs
import Testing
import TextModel
import TextRecognition

@testable import TextRecognitionOpenVINO

@Suite struct PictureDetectorTests {
    private static let usual = InputShape(height: 64, width: 96)

    @Test(arguments: [
        (usual, false), (InputShape(height: 96, width: 64), true), (InputShape(height: 100, width: 100), true),
        (InputShape(height: 100, width: 101), false),
    ])
    func unusualShapesThatAreNotTooLargeShareANetwork(shape: InputShape, isShared: Bool) throws {
        let (own, shared) = (StubModel<Float>.blank, StubModel<Float>.blank)
        let detector = PictureDetector(
            eachShape: own,
            dynamicShape: shared,
            maxSharedPixels: 10_000,
            usualShapes: [Self.usual]
        )
        let values = try detector.infer(shape, count: 1) { _, input in
            input.update(repeating: 7)
        } read: { _, output in
            output.values.count
        }
        #expect(values == [shape.width * shape.height])
        #expect((own.shapes, shared.shapes) == (isShared ? [] : [shape], isShared ? [shape] : []))
    }

    @Test(arguments: [ModelSize.tiny, .small], ModelVariant.allCases)
    func theNetworkWithADynamicShapeFindsTheSameText(size: ModelSize, variant: ModelVariant) throws {
        let signs = try Signs()
        let runtime = try OpenVINORuntime(precision: .float32)
        let dynamic = ModelCompiler(
            size.detector(in: Models.folder, variant, isDynamic: true),
            strategy: .dynamicShape,
            runtime: runtime
        )
        let own = ModelCompiler(size.detector(in: Models.folder, variant), strategy: .eachShape, runtime: runtime)
        for shape in [InputShape(height: 480, width: 640), InputShape(height: 320, width: 352)] {
            let maps = try [dynamic, own].map { try Self.map(of: $0, signs.pixels, shape) }
            let text = maps[1].count { $0 > 0.3 }
            let other = zip(maps[0], maps[1]).count { ($0 > 0.3) != ($1 > 0.3) }
            #expect(text > 1000)
            // At most 0.018 on a processor with VNNI; without the clip, 0.034 to 0.19.
            #expect(Double(other) < 0.025 * Double(text), "\(other) of \(text)")
        }
    }

    @Test func aPictureIsReadTheSameWhateverWasReadBefore() throws {
        let signs = try Signs()
        let engine = try OpenVINOTextEngine(models: Models.folder, levels: [.fast], memory: 1 << 30)
        let reader = engine.makeReader()
        let first = try signs.read(by: reader)
        _ = try signs.banner.withPixels { try reader.read($0, orientation: .up, options: ReadingOptions()) }
        for _ in 0..<2 { #expect(try signs.read(by: reader) == first) }
        #expect(try signs.read(by: engine.makeReader()) == first)
    }

    /// Probability map that a network gives of the top left of a picture.
    private static func map(
        of compiler: ModelCompiler,
        _ pixels: PixelBuffer,
        _ shape: InputShape
    ) throws -> [Float] {
        let network = try compiler.network(for: compiler.strategy.input(for: shape), bytes: 1)
        let channels = pixels.format.bytesPerPixel
        var maps: [[Float]] = []
        try network.infer(shape, 0..<1, on: 1, into: &maps) { _, input in
            for index in input.indices {
                let (pixel, channel) = index.quotientAndRemainder(dividingBy: 3)
                let (y, x) = pixel.quotientAndRemainder(dividingBy: shape.width)
                let isInside = y < pixels.height && x < pixels.width
                input[index] =
                    isInside ? pixels.bytes[(y * pixels.width + x) * channels + min(channel, channels - 1)] : 127
            }
        } read: { _, output in
            Array(output.values)
        }
        return maps[0]
    }
}

extension StubModel<Float> {
    /// Network that finds no text.
    fileprivate static var blank: StubModel {
        StubModel { shape, _ in
            (Array(repeating: 0, count: shape.width * shape.height), [1, 1, shape.height, shape.width])
        }
    }
}
