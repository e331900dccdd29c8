import TextModel
import Testing

@Suite struct OrientationTests {
    @Test(arguments: Orientation.allCases, [-5, -1, 0, 1, 2, 3, 4, 9])
    func aTurnComesAfterTheOrientation(orientation: Orientation, turns: Int) {
        // Position of a point of a picture of 7 x 4, after each quarter turn.
        var point = orientation.upright(Point(x: 2, y: 1), width: 7, height: 4)
        var size = orientation.uprightSize(width: 7, height: 4)
        for _ in 0..<(turns % 4 + 4) % 4 {
            point = Point(x: Float(size.height) - point.y, y: point.x)
            size = (size.height, size.width)
        }
        let turned = orientation.turned(byQuarterTurns: turns)
        #expect(turned.upright(Point(x: 2, y: 1), width: 7, height: 4) == point)
        #expect(turned.uprightSize(width: 7, height: 4) == size)
    }

    /// The corners of a picture of 3 x 2 sent pixels.
    private static let corners = [
        Point(x: 0, y: 0), Point(x: 3, y: 0), Point(x: 3, y: 2), Point(x: 0, y: 2), Point(x: 0.25, y: 1.5),
    ]

    @Test(arguments: Orientation.allCases)
    func thereAndBackIsTheSamePlace(orientation: Orientation) {
        for point in Self.corners {
            let upright = orientation.upright(point, width: 3, height: 2)
            #expect(orientation.sent(upright, width: 3, height: 2) == point)
        }
    }

    /// Stored position of the upright picture's first pixel, by the EXIF table.
    ///
    /// Row 0 is the visual top (1, 2), bottom (3, 4), left side (5, 8) or right side (6, 7), and so on for column 0.
    @Test(
        arguments: [
            (.up, Point(x: 0.5, y: 0.5)), (.upMirrored, Point(x: 2.5, y: 0.5)), (.down, Point(x: 2.5, y: 1.5)),
            (.downMirrored, Point(x: 0.5, y: 1.5)), (.leftMirrored, Point(x: 0.5, y: 0.5)),
            (.right, Point(x: 0.5, y: 1.5)), (.rightMirrored, Point(x: 2.5, y: 1.5)), (.left, Point(x: 2.5, y: 0.5)),
        ] as [(Orientation, Point)]
    )
    func theFirstUprightPixelIsWhereEXIFStoresIt(orientation: Orientation, stored: Point) {
        #expect(orientation.sent(Point(x: 0.5, y: 0.5), width: 3, height: 2) == stored)
    }

    @Test(arguments: Orientation.allCases)
    func theUprightPictureHasTheUprightSize(orientation: Orientation) {
        let size = orientation.uprightSize(width: 3, height: 2)
        for point in Self.corners {
            let upright = orientation.upright(point, width: 3, height: 2)
            #expect((0...Float(size.width)).contains(upright.x))
            #expect((0...Float(size.height)).contains(upright.y))
        }
    }

    @Test(arguments: Orientation.allCases, CoordinateSpace.allCases)
    func everySpaceLeadsBackToSentPixels(orientation: Orientation, space: CoordinateSpace) {
        for point in Self.corners {
            let there = space.point(sent: point, orientation: orientation, width: 3, height: 2)
            let back = space.sentPoint(there, orientation: orientation, width: 3, height: 2)
            #expect(abs(back.x - point.x) < 1e-5 && abs(back.y - point.y) < 1e-5)
        }
    }

    @Test(arguments: Orientation.allCases)
    func visionCountsFromTheLowerLeftOfTheUprightPicture(orientation: Orientation) {
        let size = orientation.uprightSize(width: 300, height: 200)
        let lowerLeft = orientation.sent(Point(x: 0, y: Float(size.height)), width: 300, height: 200)
        let upperRight = orientation.sent(Point(x: Float(size.width), y: 0), width: 300, height: 200)
        func vision(_ point: Point) -> Point {
            CoordinateSpace.vision.point(sent: point, orientation: orientation, width: 300, height: 200)
        }
        #expect(vision(lowerLeft) == Point(x: 0, y: 0))
        #expect(vision(upperRight) == Point(x: 1, y: 1))
    }
}
