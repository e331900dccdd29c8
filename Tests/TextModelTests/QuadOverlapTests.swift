import TextModel
import Testing

@Suite struct QuadOverlapTests {
    private static func box(_ x: Float, _ y: Float, width: Float = 40, height: Float = 10) -> Quad {
        Quad(x: x, y: y, width: width, height: height)
    }

    @Test func intersectionOverUnionIsTheSharedAreaOverTheCoveredArea() {
        #expect(Self.box(0, 0).intersectionOverUnion(with: Self.box(0, 0)) == 1)
        #expect(abs(Self.box(0, 0).intersectionOverUnion(with: Self.box(20, 0)) - 1 / 3) < 1e-6)
    }

    @Test func quadsThatTouchOrLieApartShareNothing() {
        #expect(Self.box(0, 0).intersectionArea(with: Self.box(40, 0)) == 0)
        #expect(Self.box(0, 0).intersectionArea(with: Self.box(90, 90)) == 0)
    }

    @Test func aQuadWithoutAreaSharesNothing() {
        let point = Self.box(0, 0, width: 0, height: 0)
        #expect(Self.box(-1, -1).intersectionOverUnion(with: point) == 0)
        #expect(point.intersectionOverUnion(with: point) == 0)
    }

    @Test func aSquareSharesAnOctagonWithTheSquareTurnedByHalfARightAngle() {
        let square = Self.box(-1, -1, width: 2, height: 2)
        let root = Float(2).squareRoot()
        let turned = Quad(
            topLeft: Point(x: 0, y: -root),
            topRight: Point(x: root, y: 0),
            bottomRight: Point(x: 0, y: root),
            bottomLeft: Point(x: -root, y: 0)
        )
        #expect(abs(square.intersectionOverUnion(with: turned) - 0.7071) < 1e-3)
        // Mirrored, the corners run the other way.
        let mirrored = turned.mapCorners { Point(x: -$0.x, y: $0.y) }
        #expect(abs(square.intersectionOverUnion(with: mirrored) - 0.7071) < 1e-3)
    }

    @Test func areaAndCentreDoNotDependOnTheDirectionOfTheCorners() {
        let box = Self.box(10, 20)
        let mirrored = box.mapCorners { Point(x: -$0.x, y: $0.y) }
        #expect(box.area == 400 && mirrored.area == 400)
        #expect(box.centre == Point(x: 30, y: 25) && mirrored.centre == Point(x: -30, y: 25))
    }

    @Test func aCoordinateThatIsNoNumberIsOutsideTheBounds() {
        var quad = Quad(x: 10, y: 20, width: 30, height: 40)
        #expect(quad.bounds == (10, 20, 40, 60) && quad.area == 1200 && quad.centre == Point(x: 25, y: 40))
        quad.topLeft.x = .nan
        #expect(quad.bounds == (10, 20, 40, 60))
        #expect(quad.mirrored.bounds == (10, 20, 40, 60))
    }
}
