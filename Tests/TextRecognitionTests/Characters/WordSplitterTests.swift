import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct WordSplitterTests {
    /// Boxes 20 high and 10 wide with `gaps` between them.
    private static func boxes(_ gaps: [Float]) -> [BoundingBox] {
        var boxes = [BoundingBox(0, 10, y0: 10, y1: 30)]
        for gap in gaps {
            let start = (boxes.last?.x1 ?? 0) + gap
            boxes.append(BoundingBox(start, start + 10, y0: 10, y1: 30))
        }
        return boxes
    }

    /// Log-odds of a confident recognizer: those of `reported`, and none elsewhere.
    private static func spaces(_ count: Int, _ reported: [Int: Float]) -> [Float] {
        (0..<count).map { reported[$0] ?? -12 }
    }

    private static func words(_ gaps: [Float], spaces reported: [Int: Float]) -> [Range<Int>] {
        let boxes = Self.boxes(gaps)
        return Self.words(boxes, spaces: Self.spaces(boxes.count, reported))
    }

    /// Splits characters that are all n, except the narrow ones, which are colons.
    private static func words(_ boxes: [BoundingBox], spaces: [Float]) -> [Range<Int>] {
        Self.words(boxes, texts: boxes.map { $0.width < 4 ? ":" : "n" }, spaces: spaces)
    }

    private static func words(_ boxes: [BoundingBox], texts: [String], spaces: [Float]) -> [Range<Int>] {
        WordSplitter.words(
            boxes.indices.map { WordSplitter.Glyph(box: boxes[$0], text: texts[$0], spaceLogOdds: spaces[$0]) }
        )
    }

    @Test func lettersAtUsualGapsAreOneWord() {
        #expect(WordSplitter.words(Self.boxes([2, 3, 2, 4, 2])) == [0..<6])
        #expect(Self.words([2, 3, 2, 4, 2], spaces: [:]) == [0..<6])
    }

    @Test(
        arguments: [("647", 28, 3), ("647", 24, 1), ("n4n", 36, 3), ("nnn", 36, 1), ("第三章", 36, 1)]
            as [(String, Float, Int)]
    )
    func digitsFarApartAreSeveralNumbers(text: String, gap: Float, count: Int) {
        let texts = text.map { String($0) }
        let words = Self.words(Self.boxes([gap, gap]), texts: texts, spaces: Self.spaces(3, [:]))
        #expect(words.count == count)
    }

    @Test func aSpaceThatWasReadForSureEndsAWordHoweverNarrow() {
        #expect(Self.words([2, 2, 2], spaces: [2: 6]) == [0..<2, 2..<4])
        #expect(Self.words([2, -3, 2], spaces: [2: .infinity]) == [0..<2, 2..<4])
    }

    @Test func noSpaceStandsInsideBrackets() {
        func words(_ texts: [String]) -> [Range<Int>] {
            Self.words(Self.boxes([2, 4, 2, 2]), texts: texts, spaces: Self.spaces(5, [2: 1.5]))
        }
        #expect(words(["n", "n", "n", "n", "n"]) == [0..<2, 2..<5])
        #expect(words(["n", "(", "n", "n", "n"]) == [0..<5])
        #expect(words(["n", "n", ")", "n", "n"]) == [0..<5])
    }

    @Test func anOperatorHasSpacesOnBothSides() {
        func words(_ sign: String, before odds: Float) -> [Range<Int>] {
            let texts = ["n", "n", sign, "n", "n"]
            return Self.words(Self.boxes([2, 2, 2, 2]), texts: texts, spaces: Self.spaces(5, [2: odds, 3: 6]))
        }
        #expect(words("=", before: -1) == [0..<2, 2..<3, 3..<5])
        #expect(words("n", before: -1) == [0..<3, 3..<5])
        #expect(words("/", before: -6) == [0..<3, 3..<5])
    }

    @Test func gapsOnBothSidesOfAnOperatorAreSpacesThatWereNotRead() {
        func words(_ texts: [String], _ gaps: [Float]) -> [Range<Int>] {
            Self.words(Self.boxes(gaps), texts: texts, spaces: [Float](repeating: -5, count: texts.count))
        }
        #expect(words(["y", "n", "=", "n", "n"], [2, 9, 9, 2]) == [0..<2, 2..<3, 3..<5])
        #expect(words(["y", "n", "=", "n", "n"], [2, 2, 2, 2]) == [0..<5])
        #expect(words(["y", "n", "n", "n", "n"], [2, 9, 9, 2]) == [0..<5])
        // All gaps are beside operators, so none of them shows the gaps within words.
        #expect(words(["U", "=", "R", "×", "n"], [9, 9, 9, 9]) == [0..<1, 1..<2, 2..<3, 3..<4, 4..<5])
    }

    @Test func anOperatorMayHaveASpaceOnOneSideOnly() {
        func words(_ texts: [String], spaces: [Int: Float]) -> [Range<Int>] {
            Self.words(Self.boxes([2, 2, 2, 2]), texts: texts, spaces: Self.spaces(5, spaces))
        }
        #expect(words(["n", "n", "<", "n", "n"], spaces: [2: 6]) == [0..<2, 2..<5])
        #expect(words(["C", "+", "+", "n", "n"], spaces: [3: 6]) == [0..<3, 3..<5])
        #expect(words(["n", "-", "n", "n", "n"], spaces: [2: 2]) == [0..<2, 2..<5])
    }

    @Test(arguments: [(">", 6, 2), (">", 3, 1), ("n", 6, 1)] as [(String, Float, Int)])
    func anArrowAtTheEndOfALineIsAWordBehindAGap(last: String, gap: Float, count: Int) {
        let words = Self.words(Self.boxes([2, 2, gap]), texts: ["n", "n", "n", last], spaces: Self.spaces(4, [:]))
        #expect(words.count == count)
    }

    @Test func anUncertainSpaceNeedsAGap() {
        #expect(Self.words([2, 2, 2, 2], spaces: [2: 0.2]) == [0..<5])
        #expect(Self.words([2, 7, 2, 2], spaces: [2: 0.2]) == [0..<2, 2..<5])
    }

    @Test func aLoneGapIsNoUsualOne() {
        #expect(Self.words([14], spaces: [1: 0.2]) == [0..<1, 1..<2])
        #expect(Self.words([2, 14], spaces: [2: 0.2]) == [0..<2, 2..<3])
        #expect(Self.words([2], spaces: [:]) == [0..<2])
        #expect(WordSplitter.words(Self.boxes([14])) == [0..<1, 1..<2])
    }

    @Test func aSpaceThatWasNearlyReadEndsAWordWhereThereIsAGap() {
        #expect(Self.words([2, 9, 2, 2], spaces: [2: -1]) == [0..<2, 2..<5])
        #expect(Self.words([2, 9, 2, 2], spaces: [2: -6]) == [0..<5])
    }

    @Test func aGapThatIsWideEnoughEndsAWordWhateverWasRead() {
        #expect(WordSplitter.words(Self.boxes([2, 2, 14, 2])) == [0..<3, 3..<5])
        #expect(Self.words([2, 2, 14, 2], spaces: [:]) == [0..<5])
        #expect(Self.words([2, 2, 20, 2], spaces: [:]) == [0..<3, 3..<5])
        #expect(Self.words([2, 2, 20, 2], spaces: [3: -.infinity]) == [0..<3, 3..<5])
    }

    /// As in monospaced print.
    @Test func aNarrowLetterInMonospacedTextIsNotAWordBoundary() {
        #expect(Self.words([4, 4, 11, 11, 4, 4], spaces: [3: -7, 4: -9]) == [0..<7])
    }

    /// Twelve letters, each centred in 20 columns, the narrow ones 2 wide like a colon.
    ///
    /// `shift` moves every other one.
    private static func typewritten(narrow: Set<Int>, shift: Float = 0, space: Int? = nil) -> [BoundingBox] {
        (0..<12).map { index in
            let room = Float(20 * (index >= space ?? .max ? index + 1 : index))
            let (half, centre): (Float, Float) = (narrow.contains(index) ? 1 : 7, room + 10 + Float(index % 2) * shift)
            return BoundingBox(centre - half, centre + half, y0: 10, y1: 30)
        }
    }

    @Test func whereAllLettersHaveTheSameRoomANarrowOneIsNoSpace() {
        let undecided = Self.spaces(12, [3: -1, 4: 1, 8: -1, 10: 1])
        #expect(Self.words(Self.typewritten(narrow: [3, 9]), spaces: undecided) == [0..<12])
        #expect(WordSplitter.words(Self.typewritten(narrow: [3, 9])) == [0..<12])
        let spaced = Self.typewritten(narrow: [3, 9], space: 8)
        #expect(Self.words(spaced, spaces: undecided) == [0..<8, 8..<12])
        #expect(WordSplitter.words(spaced) == [0..<8, 8..<12])
    }

    @Test func inMonospacedTextTheGapDecides() {
        let loose = Self.typewritten(narrow: [3, 4], shift: 4)
        #expect(Self.words(loose, spaces: Self.spaces(12, [3: -1, 4: -1, 5: -1])) != [0..<12])
        let few = Array(Self.typewritten(narrow: [2, 3]).prefix(5))
        #expect(Self.words(few, spaces: Self.spaces(5, [2: 1.9, 4: 1.9])) != [0..<5])
        let all = Self.typewritten(narrow: [2, 3])
        #expect(Self.words(all, spaces: Self.spaces(12, [2: 4.9, 4: 4.9])) == [0..<12])
    }

    /// Digits and capitals have nearly equal widths in proportional type, too.
    @Test func withoutNarrowLettersMonospacedTextIsNotDetected() {
        let alike = Self.typewritten(narrow: [])
        #expect(Self.words(alike, spaces: Self.spaces(12, [4: 1.5])) == [0..<4, 4..<12])
        let one = Self.typewritten(narrow: [6])
        #expect(Self.words(one, spaces: Self.spaces(12, [4: 1.5])) == [0..<4, 4..<12])
    }

    /// Between numbers a recognizer rarely emits spaces; the certain ones of the line show their width.
    @Test func aGapAsWideAsTheLinesSpacesIsASpace() {
        let gaps: [Float] = [2, 10, 2, 2, 10, 2, 10, 2, 2]
        #expect(Self.words(gaps, spaces: [2: 3, 5: 3, 7: -5]) == [0..<2, 2..<5, 5..<7, 7..<10])
        #expect(Self.words(gaps, spaces: [2: 3, 5: 3, 7: -9]) == [0..<2, 2..<5, 5..<10])
        #expect(Self.words(gaps, spaces: [2: 3, 7: -5]) == [0..<2, 2..<10])
    }

    /// An A leans away from its neighbours, and a bracket has wide side bearings.
    @Test func sideBearingsAreNoPartOfAGap() {
        let boxes = Self.boxes([2, 5, 2, 2])
        let undecided = Self.spaces(5, [2: -1])
        #expect(Self.words(boxes, texts: ["n", "]", "[", "n", "n"], spaces: undecided) == [0..<5])
        #expect(Self.words(boxes, texts: ["n", "A", "A", "n", "n"], spaces: undecided) == [0..<2, 2..<5])
    }

    @Test func halfTheGapsMayBeSpaces() {
        #expect(Self.words([2, 12, 12, 2, 12, 12], spaces: [2: -1, 3: -1, 5: -1, 6: -1]).count == 5)
    }

    @Test func lettersThatAllStandFarApartAreOneWord() {
        #expect(WordSplitter.words(Self.boxes([12, 12, 13, 12, 12])) == [0..<6])
        #expect(WordSplitter.words(Self.boxes([13, 14, 13, 14])) == [0..<5])
        #expect(Self.words([22, 22, 23, 22, 22], spaces: [3: -1]) == [0..<6])
    }

    @Test(arguments: [8, 11, 14] as [Float])
    func whatIsUsualInALineIsFound(between: Float) {
        let within = between / 4
        let gaps = [within, within, between, within, between + 1, within, within + 1, between, within]
        #expect(WordSplitter.words(Self.boxes(gaps)) == [0..<3, 3..<5, 5..<8, 8..<10])
    }

    @Test func gapsThatDifferLittleAreNoSpaces() {
        #expect(WordSplitter.words(Self.boxes([1, 1, 4, 1, 5, 1, 2, 4, 1])) == [0..<10])
    }

    /// As in a table of contents.
    @Test func dotsAreNotUsedToMeasureTheLetterHeight() {
        let letters = Self.boxes([2, 2, 8, 2, 2])
        let dots = (0..<40).map { BoundingBox(100 + 6 * Float($0), 103 + 6 * Float($0), y0: 27, y1: 30) }
        #expect(WordSplitter.words(letters + dots) == [0..<3, 3..<6, 6..<46])
    }

    @Test func cellsFarApartSayNothingOfSpacesBesideThem() {
        #expect(WordSplitter.words(Self.boxes([2, 2, 9, 2, 200, 2, 2])) == [0..<3, 3..<5, 5..<8])
    }

    @Test func lettersThatOverlapSayNothingOfSpacesBesideThem() {
        #expect(WordSplitter.words(Self.boxes([-10, 2, 2, 2, 2])) == [0..<6])
    }

    @Test func aLetterAloneIsAWordAndNothingIsNone() {
        #expect(WordSplitter.words(Self.boxes([])) == [0..<1])
        #expect(Self.words([], spaces: [:]) == [0..<1])
        #expect(WordSplitter.words([] as [BoundingBox]).isEmpty)
        #expect(Self.words([] as [BoundingBox], spaces: []).isEmpty)
    }

    @Test func wordsCoverEveryCharacterOnce() {
        var random = SplitMix64(33)
        for _ in 0..<200 {
            let count = Int.random(in: 0...30, using: &random)
            let boxes = Self.boxes((0..<count).map { _ in Float.random(in: -8...30, using: &random) })
            let evidence: [Float] = [-.infinity, -3, 0, 2, .infinity, .nan]
            let spaces = boxes.map { _ in evidence.randomElement(using: &random) ?? 0 }
            for words in [WordSplitter.words(boxes), Self.words(boxes, spaces: spaces)] {
                #expect(words.flatMap { Array($0) } == Array(0...count))
                #expect(words.allSatisfy { !$0.isEmpty })
            }
        }
    }
}
