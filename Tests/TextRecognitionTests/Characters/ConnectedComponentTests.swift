import Testing

@testable import TextRecognition

@Suite struct ConnectedComponentTests {
    /// Returns the component that is the rectangle `box`.
    private static func component(_ box: BoundingBox, rules: [BoundingBox] = []) -> ConnectedComponent {
        Self.runs(box).withUnsafeBufferPointer { ConnectedComponent($0, rules: rules.flatMap(Self.runs)) }
    }

    private static func runs(_ box: BoundingBox) -> [ComponentLabeler.Run] {
        (Int32(box.y0)..<Int32(box.y1)).map {
            ComponentLabeler.Run(row: $0, first: Int32(box.x0), end: Int32(box.x1), label: 0)
        }
    }

    @Test func itsBoxAndAreaAreThoseOfItsRuns() {
        let component = Self.component(BoundingBox(5, 15, y0: 3, y1: 9))
        #expect(component.box.edges == [5, 3, 15, 9])
        #expect(component.area == 60)
    }

    @Test func lettersAreNotForeign() {
        let band: ClosedRange<Float> = 10...38
        #expect(!Self.component(BoundingBox(5, 15)).isForeign(to: band, height: 48))
        // A letter as high as the line, one that extends from the edge, and a dot far from the others.
        #expect(!Self.component(BoundingBox(5, 15, y0: 0, y1: 48)).isForeign(to: band, height: 48))
        #expect(!Self.component(BoundingBox(5, 15, y0: 0, y1: 30)).isForeign(to: band, height: 48))
        #expect(!Self.component(BoundingBox(5, 9, y0: 1, y1: 5)).isForeign(to: band, height: 48))
    }

    @Test func neighbouringLinesAndTheSidesOfFramesAreForeign() {
        let band: ClosedRange<Float> = 16...34
        #expect(Self.component(BoundingBox(5, 15, y0: 0, y1: 8)).isForeign(to: band, height: 48))
        #expect(Self.component(BoundingBox(5, 15, y0: 0, y1: 19)).isForeign(to: band, height: 48))
        #expect(Self.component(BoundingBox(5, 15, y0: 38, y1: 48)).isForeign(to: band, height: 48))
        #expect(Self.component(BoundingBox(5, 8, y0: 0, y1: 48)).isForeign(to: band, height: 48))
    }

    @Test func remainsOfARuleAreForeign() {
        let band: ClosedRange<Float> = 16...34
        let rule = BoundingBox(0, 90, y0: 0, y1: 3)
        let crumb = BoundingBox(5, 9, y0: 3, y1: 6)
        #expect(!Self.component(crumb).isForeign(to: band, height: 48))
        #expect(Self.component(crumb, rules: [rule]).isForeign(to: band, height: 48))
        // Beside the rule, and a row below it.
        #expect(!Self.component(BoundingBox(92, 96, y0: 3, y1: 6), rules: [rule]).isForeign(to: band, height: 48))
        #expect(!Self.component(BoundingBox(5, 9, y0: 4, y1: 7), rules: [rule]).isForeign(to: band, height: 48))
        // By a corner, and on the second of two rules of a row.
        #expect(Self.component(BoundingBox(90, 96, y0: 3, y1: 6), rules: [rule]).isForeign(to: band, height: 48))
        let second = BoundingBox(200, 300, y0: 0, y1: 3)
        #expect(
            Self.component(BoundingBox(210, 214, y0: 3, y1: 6), rules: [rule, second]).isForeign(to: band, height: 48)
        )
    }

    @Test func lettersMayStandOnARuleOrHangOnOne() {
        let band: ClosedRange<Float> = 16...34
        let (above, below) = (BoundingBox(0, 90, y0: 12, y1: 14), BoundingBox(0, 90, y0: 36, y1: 38))
        #expect(!Self.component(BoundingBox(5, 15, y0: 14, y1: 34), rules: [above]).isForeign(to: band, height: 48))
        #expect(!Self.component(BoundingBox(5, 15, y0: 16, y1: 36), rules: [below]).isForeign(to: band, height: 48))
        // A letter between two rules; the side of a table, which they cross as well.
        #expect(
            !Self.component(BoundingBox(5, 15, y0: 14, y1: 36), rules: [above, below]).isForeign(to: band, height: 48)
        )
        #expect(
            Self.component(BoundingBox(5, 8, y0: 14, y1: 36), rules: [above, below]).isForeign(to: band, height: 48)
        )
        // A remnant of an underline is not foreign.
        #expect(Self.component(BoundingBox(5, 15, y0: 38, y1: 40), rules: [below]).isForeign(to: band, height: 48))
    }

    @Test func theTextBandIsWhereMostLettersStand() {
        let letters = [
            BoundingBox(0, 9, y0: 10, y1: 38), BoundingBox(12, 20, y0: 12, y1: 38), BoundingBox(24, 30, y0: 12, y1: 44),
        ]
        let others = [
            BoundingBox(40, 44, y0: 34, y1: 38), BoundingBox(50, 60, y0: 0, y1: 9), BoundingBox(70, 80, y0: 30, y1: 48),
        ]
        #expect(ConnectedComponent.textBand(of: (letters + others).map { Self.component($0) }, height: 48) == 12...38)
        #expect(ConnectedComponent.textBand(of: others.map { Self.component($0) }, height: 48) == 8...40)
        let onRule = Self.component(letters[0], rules: [BoundingBox(0, 90, y0: 38, y1: 40)])
        #expect(ConnectedComponent.textBand(of: [onRule, Self.component(letters[1])], height: 48) == 12...38)
        #expect(ConnectedComponent.textBand(of: [], height: 48) == 8...40)
    }
}
