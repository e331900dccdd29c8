import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct CharacterLocalizerTests {
    @Test(arguments: [(220, 30), (30, 220)] as [(Float, Float)])
    func eachCharacterIsTheExtentOfItsInk(background: Float, foreground: Float) {
        let boxes = [BoundingBox(5, 15), BoundingBox(22, 26, y0: 4, y1: 38), BoundingBox(33, 60, y0: 18, y1: 44)]
        let line = SyntheticLine(width: 70, background: background, foreground: foreground).drawing(
            boxes[0],
            boxes[1],
            boxes[2]
        )
        // The network's centres are off by at most a step of 8 pixels.
        #expect(line.localized(at: [8, 26, 43]).edges == boxes.edges)
    }

    @Test func aLineWithoutCharactersLeavesNothingOfTheOneBefore() {
        var localizer = CharacterLocalizer()
        let (letter, other) = (BoundingBox(5, 15), BoundingBox(25, 35))
        let line = SyntheticLine(width: 60).drawing(letter, other)
        for (centres, foreground) in [([10, 30], 1), ([], 0)] as [([Float], Float)] {
            _ = localizer.localize(
                .expected(at: centres, advanceWidths: nil),
                words: [centres.indices],
                gray: line.gray,
                width: line.width,
                height: line.height
            )
            let share = localizer.centreForeground(of: letter)
            #expect(abs(share - foreground) < 0.1)
        }
    }

    @Test func aDotBelongsToTheStemBelowIt() {
        let line = SyntheticLine(width: 60).drawing(
            BoundingBox(5, 15),
            BoundingBox(25, 29, y0: 18, y1: 38),
            BoundingBox(25, 29, y0: 10, y1: 14),
            BoundingBox(40, 52)
        )
        #expect(
            line.localized(at: [10, 27, 46]).edges
                == [BoundingBox(5, 15), BoundingBox(25, 29), BoundingBox(40, 52)].edges
        )
    }

    @Test func charactersThatTouchPartWhereThereIsLeastInk() {
        // Two bodies joined by a hairline from 20 to 24.
        let line = SyntheticLine(width: 60).drawing(
            BoundingBox(5, 20),
            BoundingBox(20, 24, y0: 30, y1: 32),
            BoundingBox(24, 40)
        )
        let boxes = line.localized(at: [13, 32])
        #expect(boxes.count == 2)
        #expect((20...24).contains(boxes[0].x1) && boxes[0].x1 == boxes[1].x0)
        #expect(boxes[0].x0 == 5 && boxes[1].x1 == 40)
    }

    @Test func lettersBesideThoseThatTouchAreTheirInkWhereTheNetworkSeesThemLate() {
        // The word "please", of which a and s touch.
        let (p, l, e, last) = (BoundingBox(4, 20), BoundingBox(24, 28), BoundingBox(31, 48), BoundingBox(88, 104))
        let line = SyntheticLine(width: 112).drawing(p, l, e)
            .drawing(BoundingBox(51, 67), BoundingBox(67, 69, y0: 30, y1: 32), BoundingBox(69, 85), last)
        let boxes = line.localized(at: [15, 31, 39, 63, 79, 103], advanceWidths: [0.6, 0.25, 0.6, 0.6, 0.55, 0.6])
        #expect(Array(boxes[..<3]).edges == [p, l, e].edges)
        #expect(boxes[3].x0 == 51 && (67...69).contains(boxes[3].x1))
        #expect(boxes[4].x0 == boxes[3].x1 && boxes[4].x1 == 85)
        #expect([boxes[5]].edges == [last].edges)
    }

    @Test func charactersWithoutAValleyPartByTheirUsualWidths() {
        let line = SyntheticLine(width: 60).drawing(BoundingBox(6, 46))
        // An m of three quarters and an i of one quarter.
        let boxes = line.localized(at: [21, 41], advanceWidths: [0.75, 0.25])
        #expect(abs(boxes[0].x1 - 36) <= 1)
        #expect(boxes[0].x1 == boxes[1].x0)
    }

    @Test func rulesAboveAndBelowAreNoInk() {
        let letters = [BoundingBox(10, 20), BoundingBox(30, 40), BoundingBox(60, 75)]
        let line = SyntheticLine(width: 120).drawing(letters[0], letters[1], letters[2])
            .drawing(BoundingBox(0, 120, y0: 2, y1: 4), BoundingBox(0, 120, y0: 43, y1: 45))
        #expect(line.localized(at: [15, 35, 67]).edges == letters.edges)
    }

    @Test func anUnderlineThatTouchesTheLettersIsNoInk() {
        let line = SyntheticLine(width: 120).drawing(
            BoundingBox(10, 20),
            BoundingBox(30, 40),
            BoundingBox(0, 120, y0: 38, y1: 40)
        )
        #expect(line.localized(at: [15, 35]).edges == [BoundingBox(10, 20), BoundingBox(30, 40)].edges)
    }

    @Test func inkOfTheLinesAboveAndBelowIsNotTheirs() {
        let line = SyntheticLine(width: 60).drawing(
            BoundingBox(10, 20),
            BoundingBox(12, 18, y0: 0, y1: 5),
            BoundingBox(30, 40),
            BoundingBox(32, 36, y0: 44, y1: 48)
        )
        #expect(line.localized(at: [15, 35]).edges == [BoundingBox(10, 20), BoundingBox(30, 40)].edges)
    }

    @Test func specksAreNoInk() {
        let line = SyntheticLine(width: 60).drawing(
            BoundingBox(10, 20),
            BoundingBox(3, 4, y0: 20, y1: 22),
            BoundingBox(30, 40)
        )
        #expect(line.localized(at: [15, 35]).edges == [BoundingBox(10, 20), BoundingBox(30, 40)].edges)
    }

    @Test(arguments: [("|", true), ("1", false)])
    func aBarBesideARuleIsTheRuleWhateverInkItWasGiven(text: String, isRule: Bool) {
        let alphabet = Alphabet(list: "5\n3\n|\n1")
        let letters = [BoundingBox(10, 30), BoundingBox(60, 80)]
        let line = SyntheticLine(width: 100).drawing(letters[0], letters[1], BoundingBox(44, 46, y0: 0, y1: 48))
        var localizer = CharacterLocalizer()
        // The network's centre of the bar is so far off that the bar gets the end of the 5.
        let centres: [Float] = [18, 31, 70]
        let boxes = localizer.localize(
            .expected(at: centres),
            words: [centres.indices],
            gray: line.gray,
            width: line.width,
            height: line.height
        )
        let characters = zip(["5", text, "3"], boxes).map { text, box in
            LocatedCharacter(
                recognized: CTCCharacter(label: alphabet.label(of: text) ?? 0, confidence: 1, centre: box.centreX),
                box: box
            )
        }
        #expect(boxes[1].x0 < 30)
        #expect(localizer.misrecognizedRules(LineCharacters(characters), alphabet) == (isRule ? [1] : []))
    }

    @Test(arguments: [0, 128, 255] as [Float])
    func withoutInkCharactersAreCellsAroundTheirMiddles(brightness: Float) {
        let boxes = SyntheticLine(width: 100, background: brightness).localized(at: [20, 50, 80])
        #expect(boxes.count == 3)
        for (box, centre) in zip(boxes, [20, 50, 80] as [Float]) {
            #expect(box.x0 < centre && centre < box.x1)
            #expect(abs(box.x0 + box.x1 - 2 * centre) < 1e-3)
            #expect(box.x1 - box.x0 <= 48)
            #expect(box.y0 >= 0 && box.y0 < box.y1 && box.y1 <= 48)
        }
        #expect(zip(boxes, boxes.dropFirst()).allSatisfy { $0.x1 <= $1.x0 + 1 })
    }

    @Test func aCharacterThatFoundNoInkIsAsHighAsItsNeighbours() {
        let line = SyntheticLine(width: 100).drawing(
            BoundingBox(10, 20, y0: 14, y1: 34),
            BoundingBox(80, 90, y0: 12, y1: 30)
        )
        let boxes = line.localized(at: [15, 50, 85])
        #expect(boxes[1].y0 == 12 && boxes[1].y1 == 34)
        #expect(boxes[1].x0 > 20 && boxes[1].x1 < 80)
    }

    @Test func nothingReadHasNoBoxes() {
        #expect(SyntheticLine(width: 100).drawing(BoundingBox(10, 20)).localized(at: []).isEmpty)
    }

    @Test func anyMiddlesHaveABoxEach() {
        var random = SplitMix64(32)
        for _ in 0..<300 {
            let width = Int.random(in: 8...200, using: &random)
            var line = SyntheticLine(width: width)
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let x = Int.random(in: 0..<width, using: &random)
                let y = Int.random(in: 0..<40, using: &random)
                let end = Int.random(in: x...width, using: &random)
                line = line.drawing(BoundingBox(Float(x), Float(end), y0: Float(y), y1: Float(y + 8)))
            }
            // A network's centres may coincide, and be in the margin beyond the line.
            let centres = (0..<Int.random(in: 1...30, using: &random))
                .map { _ in Float.random(in: 0...Float(width) * 1.3, using: &random) }.sorted()
            let words = WordSplitter.words(spaces: centres.map { _ in .random(in: -1...1, using: &random) })
            let boxes = line.localized(at: centres, words: words)
            #expect(boxes.count == centres.count)
            for box in boxes {
                #expect(box.x0 < box.x1 && box.y0 < box.y1)
                #expect(box.y0 >= 0 && box.y1 <= 48)
            }
        }
    }
}
