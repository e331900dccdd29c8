import TextModel
import Testing

@testable import TextRecognition

@Suite struct OrientationCueTests {
    @Test(arguments: ["", "***** ****", "-----", "NOON", "SOS 1996", "0.00", "一二三", "| | ="])
    func symmetricTextIsNoEvidence(text: String) { #expect(OrientationCue.evidence(in: text) == 0) }

    @Test(arguments: [("EXIT", 4), ("RM 65.20", 6), ("Rue de Sèvres", 11), ("* A *", 1), ("出口", 2)])
    func lettersAndFiguresCountWhereOneOfThemDoesNot(text: String, evidence: Int) {
        #expect(OrientationCue.evidence(in: text) == evidence)
    }

    @Test(arguments: [(100, 8), (1e30, 1_000_000), (.nan, 0)] as [(Float, Int)])
    func aLineWithoutTextHasTwoLettersForEachHeight(width: Float, evidence: Int) {
        let line = TextLine(text: "", confidence: 1, box: Quad(x: 0, y: 0, width: width, height: 25), words: [])
        #expect(OrientationCue.evidence(inLineWithoutText: line) == evidence)
    }

    @Test func fillersOfAMachineReadableZonePointToTheLeft() {
        #expect(OrientationCue.isTurnedZone(">>>>>>0110", upright: "OTTO<<<<<<"))
        #expect(!OrientationCue.isTurnedZone("OTTO<<<<<<", upright: ">>>>>>0110"))
        #expect(!OrientationCue.isTurnedZone(">>>>> EXIT", upright: "LIX3"))
    }
}
