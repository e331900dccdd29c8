import CommandInput
import TextModel
import Testing

@Suite struct RegionArgumentTests {
    @Test func aRegionIsFourFractions() {
        #expect(Region(argument: "0,0.8,1,0.2") == Region(x: 0, y: 0.8, width: 1, height: 1 - 0.8))
        #expect(Region(argument: "0,0,1,1") == .full)
    }

    @Test(arguments: [
        "", "0,0.8,1", "0,0.8,abc,1,0.2", "0,,0.8,1,0.2", "0,0.8,1,0.2,", "0,0.8,1,0.3", "-0.1,0,1,1", "0,0,0,1",
        "nan,0,1,1", "0,0,inf,1", "1,0,0.1,1",
    ])
    func whatIsNoRegionIsNone(text: String) { #expect(Region(argument: text) == nil) }
}
