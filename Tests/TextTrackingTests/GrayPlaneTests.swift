import ImageCodecs
import Testing

@testable import TextTracking

@Suite struct GrayPlaneTests {
    /// Beyond 32,769 pixels, a thousandth less than a side is rounded to it.
    @Test(arguments: [2, 5, 33_000]) func beyondAnEdgeIsTheValueOfTheEdge(side: Int) {
        for isTall in [false, true] {
            var plane = GrayPlane()
            var picture = PixelBuffer(width: isTall ? 2 : side, height: isTall ? side : 2, format: .gray)
            picture.withMutableBytes { bytes in
                for index in 0..<bytes.count { bytes[index] = 100 }
                bytes[bytes.count - 1] = 200
                bytes[0] = 50
            }
            picture.withPixels { plane.load($0) }
            #expect(plane.clampedValue(1e6, 1e6) == 200)
            #expect(plane.clampedValue(Float(plane.width - 1), Float(plane.height - 1)) == 200)
            #expect(plane.clampedValue(-5, -1e6) == 50)
        }
    }
}
