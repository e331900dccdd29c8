import Testing
import TextModel

@Suite struct ArrayRunsTests {
    @Test(
        arguments: [
            ([], []),
            ([3], [0..<1]),
            ([1, 1, 1], [0..<3]),
            ([1, 1, 2, 1], [0..<2, 2..<3, 3..<4]),
        ] as [([Int], [Range<Int>])]
    )
    func runsOfEqualElementsCoverTheArray(elements: [Int], runs: [Range<Int>]) {
        #expect(elements.runs(where: ==) == runs)
    }

    @Test func anElementIsComparedWithTheOneBeforeIt() {
        #expect([1, 2, 3, 2, 3].runs { $1 == $0 + 1 } == [0..<3, 3..<5])
    }
}
