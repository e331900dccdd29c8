import FrameCodecs
import Testing
import TextEngine

@testable import TextEngineOpenVINO

@Suite struct ModelLoaderTests {
    /// How many pixels of a picture of signs a detector marks as text.
    private static func marked(by size: ModelSize, isSparing: Bool) throws -> Int {
        let loader = ModelLoader(
            folder: Models.folder,
            runtime: try OpenVINORuntime(),
            pool: NetworkPool(capacity: 1 << 30),
            isSparing: isSparing
        )
        let networks = try loader.detector(size)
        let pixels = try Signs().pixels
        let shape = InputShape(height: pixels.height, width: pixels.width)
        let channels = pixels.format.bytesPerPixel
        var counts: [Int] = []
        try networks.withNetwork(for: networks.model.compilation.input(for: shape)) { network throws(OpenVINOError) in
            try network.infer(shape, 0..<1, on: 1, into: &counts) { _, input in
                for index in input.indices {
                    let (pixel, channel) = index.quotientAndRemainder(dividingBy: 3)
                    input[index] = pixels.bytes[pixel * channels + min(channel, channels - 1)]
                }
            } read: { (_, map: ModelOutput<Float>) in
                map.values.count { $0 > 0.3 }
            }
        }
        return counts[0]
    }

    @Test(arguments: [ModelSize.tiny, .small])
    func aDetectorMarksNoMoreWhereMemoryIsShort(size: ModelSize) throws {
        let usual = try Self.marked(by: size, isSparing: false)
        let sparing = try Self.marked(by: size, isSparing: true)
        #expect(abs(Double(sparing) / Double(usual) - 1) < 0.02, "\(sparing) pixels for \(usual)")
    }
}
