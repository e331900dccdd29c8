import Testing

@testable import TextModel

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 2), ("same", "same", 0),
    ])
    func theDistanceCountsInsertionsDeletionsAndSubstitutions(a: String, b: String, distance: Int) {
        #expect(a.editDistance(to: b) == distance)
        #expect(b.editDistance(to: a) == distance)
    }

    @Test func aDistanceAboveTheLimitIsAnyAboveIt() {
        #expect("kitten".editDistance(to: "sitting", limit: 3) == 3)
        #expect("kitten".editDistance(to: "sitting", limit: 1) > 1)
    }
}
