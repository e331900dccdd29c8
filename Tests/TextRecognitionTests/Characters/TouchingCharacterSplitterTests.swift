import SeededRandom
import Testing

@testable import TextRecognition

/// Splitting of touching characters by their foreground alone.
@Suite struct TouchingCharacterSplitterTests {
    /// Separate letters 28 pixels high, from which the letter height is known.
    private static let line = SyntheticLine(width: 200).drawing(
        BoundingBox(2, 16),
        BoundingBox(22, 36),
        BoundingBox(42, 56)
    )
    private static let apart = [BoundingBox(2, 16), BoundingBox(22, 36), BoundingBox(42, 56)]

    @Test func lettersWhoseEdgesAreBlurredIntoEachOtherAreCutThere() {
        let drawn = [BoundingBox(70, 83), BoundingBox(85, 98), BoundingBox(100, 113)]
        let line = Self.line.drawing(drawn[0], drawn[1], drawn[2])
            .drawing(0.6, BoundingBox(83, 85, y0: 20, y1: 34)).drawing(0.6, BoundingBox(98, 100, y0: 14, y1: 28))
        let letters = line.segmented()
        #expect(letters.count == 6)
        for (letter, drawn) in zip(letters.dropFirst(3), drawn) {
            #expect(abs(letter.x0 - drawn.x0) <= 2 && abs(letter.x1 - drawn.x1) <= 2)
            #expect((letter.y0, letter.y1) == (10, 38))
        }
    }

    @Test func lettersOfDifferentHeightsHaveBoxesOfTheirOwn() {
        let line = Self.line.drawing(
            BoundingBox(70, 88, y0: 20),
            BoundingBox(90, 108),
            BoundingBox(88, 90, y0: 30, y1: 33)
        )
        let letters = Array(line.segmented().dropFirst(3))
        #expect(letters.count == 2)
        #expect((letters.first?.y0, letters.last?.y0) == (20, 10))
    }

    @Test func anMIsOneLetter() {
        let line = Self.line.drawing(
            BoundingBox(70, 74, y0: 18),
            BoundingBox(81, 85, y0: 18),
            BoundingBox(92, 96, y0: 18),
            BoundingBox(70, 96, y0: 18, y1: 22)
        )
        #expect(line.segmented().edges == (Self.apart + [BoundingBox(70, 96, y0: 18)]).edges)
    }

    @Test func aDashIsNotCutWhereItIsFainter() {
        let dash = BoundingBox(70, 110, y0: 22, y1: 26)
        let letters = Self.line.drawing(BoundingBox(70, 88, y0: 22, y1: 26), BoundingBox(90, 110, y0: 22, y1: 26))
            .drawing(0.8, BoundingBox(88, 90, y0: 22, y1: 26)).segmented()
        #expect(letters.edges == (Self.apart + [dash]).edges)
    }

    @Test func dotsAreNotUsedToMeasureTheLetterHeight() {
        // An n, whose arch could be cut.
        let letter = SyntheticLine(width: 200).drawing(
            BoundingBox(2, 6),
            BoundingBox(14, 18),
            BoundingBox(2, 18, y0: 10, y1: 14)
        )
        let dots = (0..<18).map { BoundingBox(26 + 9 * Float($0), 29 + 9 * Float($0), y0: 35) }
        let line = dots.reduce(letter) { $0.drawing($1) }
        #expect(line.segmented().edges == ([BoundingBox(2, 18)] + dots).edges)
    }

    @Test func whatIsStruckThroughIsCutAsIfItWasNot() {
        let line = Self.line.drawing(BoundingBox(70, 83), BoundingBox(85, 98)).drawing(
            0.6,
            BoundingBox(83, 85, y0: 14, y1: 24)
        )
        #expect(line.segmented().count == 5)
        #expect(line.drawing(BoundingBox(0, 200, y0: 26, y1: 28)).segmented().edges == line.segmented().edges)
    }

    @Test func whatComesInFromTheLineBelowHasNoSayInACut() {
        let line = Self.line.drawing(BoundingBox(70, 83, y1: 28), BoundingBox(85, 98))
            .drawing(0.6, BoundingBox(83, 85, y0: 14, y1: 24))
        #expect(line.segmented().count == 5)
        #expect(line.drawing(BoundingBox(76, 84, y0: 31, y1: 48)).segmented().edges == line.segmented().edges)
    }

    @Test func whatIsCutStaysInOrderBesideALetterThatOverlaps() {
        // The upper one begins left of the lower one's last part.
        let line = Self.line.drawing(
            BoundingBox(70, 88, y0: 20),
            BoundingBox(90, 97, y0: 20),
            BoundingBox(84, 114, y0: 10, y1: 18)
        )
        .drawing(0.6, BoundingBox(88, 90, y0: 30, y1: 33))
        let letters = line.segmented()
        #expect(letters.count == 6)
        #expect(zip(letters, letters.dropFirst()).allSatisfy { $0.x0 <= $1.x0 })
    }

    @Test func partsLieSideBySideInWhatWasCut() {
        var random = SplitMix64(7)
        var cutCount = 0
        for _ in 0..<50 {
            var line = Self.line
            var drawn: [BoundingBox] = []
            // A component wider than the line's height is not a letter.
            for stretch in [70..<80, 81..<120, 121..<160, 161..<190] {
                let columns = stretch.map { x in
                    let top = Float.random(in: 4..<16, using: &random).rounded()
                    return BoundingBox(Float(x), Float(x + 1), y0: top, y1: top + 20)
                }
                for column in columns { line = line.drawing(Float.random(in: 0.6...1, using: &random), column) }
                drawn += [BoundingBox(around: columns)].compactMap(\.self)
            }
            let letters = line.segmented().dropFirst(Self.apart.count)
            #expect(zip(letters, letters.dropFirst()).allSatisfy { $0.x1 <= $1.x0 })
            let whole = drawn.compactMap { box in
                BoundingBox(around: letters.filter { $0.centreX > box.x0 && $0.centreX < box.x1 })
            }
            #expect(whole.edges == drawn.edges)
            if letters.count > drawn.count { cutCount += 1 }
        }
        #expect(cutCount > 10)
    }
}
