import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct UprightFrameTests {
    private static func frame(_ view: PixelView, _ orientation: Orientation) -> UprightFrame {
        UprightFrame(view, orientation: orientation)
    }

    @Test(arguments: Orientation.allCases)
    func aRectangleIsSentWhereItsCornersAre(orientation: Orientation) {
        let picture = PixelBuffer(width: 70, height: 40, format: .gray)
        picture.withPixels { view in
            let frame = Self.frame(view, orientation)
            let rect = PixelRect(x: 3, y: 5, width: 20, height: 11)
            let quad = frame.sent(Quad(x: 3, y: 5, width: 20, height: 11))
            let sent = frame.sent(rect)
            #expect(Float(sent.x) == quad.corners.map(\.x).min() && Float(sent.y) == quad.corners.map(\.y).min())
            #expect(Float(sent.x + sent.width) == quad.corners.map(\.x).max())
            #expect(Float(sent.y + sent.height) == quad.corners.map(\.y).max())
        }
    }

    @Test(arguments: Orientation.allCases)
    func theWholePictureIsTheWholeFrame(orientation: Orientation) {
        let picture = PixelBuffer(width: 70, height: 40, format: .gray)
        picture.withPixels { view in
            let frame = Self.frame(view, orientation)
            #expect((frame.width, frame.height) == (orientation.swapsAxes ? (40, 70) : (70, 40)))
            #expect(frame.pixels(of: .full) == PixelRect(x: 0, y: 0, width: frame.width, height: frame.height))
            #expect(frame.sent(frame.pixels(of: .full)) == PixelRect(x: 0, y: 0, width: 70, height: 40))
        }
    }

    @Test(arguments: Orientation.allCases)
    func uprightUndoesSent(orientation: Orientation) {
        let picture = PixelBuffer(width: 70, height: 40, format: .gray)
        picture.withPixels { view in
            let frame = Self.frame(view, orientation)
            let quad = Quad(x: 1.5, y: 2.25, width: 20, height: 8)
            #expect(frame.upright(frame.sent(quad)) == quad)
        }
    }

    @Test func aRegionTakesEveryPixelThatItTouches() {
        let picture = PixelBuffer(width: 100, height: 50, format: .gray)
        picture.withPixels { view in
            let frame = Self.frame(view, .up)
            let region = frame.pixels(of: Region(x: 0.255, y: 0.31, width: 0.5, height: 0.2))
            #expect(region == PixelRect(x: 25, y: 15, width: 51, height: 11))
        }
    }

    @Test(arguments: [(1, 1), (1, 900), (640, 480), (7680, 4320)])
    func everyRegionHasAPixelInsideThePicture(width: Int, height: Int) {
        let regions = [
            Region(x: 0, y: 0, width: 1e-9, height: 1e-9), Region(x: 1, y: 1, width: 1e-9, height: 1e-9),
            Region(x: 0.999_999_9, y: 0.5, width: 1e-7, height: 0.5), Region(x: 0.3, y: 0.3, width: 0.7, height: 0.7),
            Region(x: 0.9, y: 0.9, width: 0.9, height: 0.9),
        ]
        // No pixel is read: only the size matters.
        let picture = PixelBuffer(width: 1, height: 1, format: .gray)
        picture.withPixels { one in
            let view = PixelView(base: one.base, width: width, height: height, bytesPerRow: width, format: .gray)
            for region in regions {
                let rect = Self.frame(view, .up).pixels(of: region)
                #expect(rect.width >= 1 && rect.height >= 1)
                #expect(rect.x >= 0 && rect.x + rect.width <= width)
                #expect(rect.y >= 0 && rect.y + rect.height <= height)
            }
        }
    }
}
