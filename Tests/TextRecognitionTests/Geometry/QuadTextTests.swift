import Glibc
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct QuadTextTests {
    private static let quad = Quad(x: 10, y: 20, width: 30, height: 5)

    @Test func aQuarterClockwiseReadsDownwards() {
        let turned = Self.quad.turned(1)
        #expect(turned.topLeft == Self.quad.topRight)
        #expect(turned.topRight == Self.quad.bottomRight)
        #expect(turned.bottomLeft == Self.quad.topLeft)
    }

    @Test func fourQuarterTurnsInAnyStepsAreTheIdentity() {
        #expect(Self.quad.turned(0) == Self.quad)
        for quarterTurns in 1...3 { #expect(Self.quad.turned(quarterTurns).turned(4 - quarterTurns) == Self.quad) }
        #expect(Self.quad.turned(1).turned(1) == Self.quad.turned(2))
    }

    @Test(arguments: [0, 0.4, 1.57, -2.5] as [Float])
    func aMarginIsAPixelAcrossTheTextAndHalfOfOneAlongIt(angle: Float) {
        func turned(_ quad: Quad) -> Quad {
            quad.mapCorners { point in
                Point(
                    x: point.x * cosf(angle) - point.y * sinf(angle),
                    y: point.x * sinf(angle) + point.y * cosf(angle)
                )
            }
        }
        let wider = Quad(x: 9.5, y: 19, width: 31, height: 7)
        #expect(turned(Self.quad).withMargin.distance(to: turned(wider)) < 0.001)
    }

    @Test func aQuadWithoutExtentKeepsItsPlace() {
        let none = Quad(x: 3, y: 4, width: 0, height: 0)
        #expect(none.withMargin == none)
    }
}
