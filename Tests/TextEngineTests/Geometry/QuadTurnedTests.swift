import GlyphwireProtocol
import Testing

@testable import TextEngine

@Suite struct QuadTurnedTests {
    private static let quad = Quad(x: 10, y: 20, width: 30, height: 5)

    @Test func aQuarterClockwiseReadsDownwards() {
        let turned = Self.quad.turned(1)
        #expect(turned.topLeft == Self.quad.topRight)
        #expect(turned.topRight == Self.quad.bottomRight)
        #expect(turned.bottomLeft == Self.quad.topLeft)
    }

    @Test func fourQuartersInAnyStepsEndWhereTheyBegan() {
        #expect(Self.quad.turned(0) == Self.quad)
        for quarters in 1...3 { #expect(Self.quad.turned(quarters).turned(4 - quarters) == Self.quad) }
        #expect(Self.quad.turned(1).turned(1) == Self.quad.turned(2))
    }
}
