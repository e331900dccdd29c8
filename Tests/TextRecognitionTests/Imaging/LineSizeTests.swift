import TextModel
import Testing

@testable import TextRecognition

@Suite struct LineSizeTests {
    @Test func widthsAscendInWholeSteps() {
        #expect(LineSize.inputWidths == LineSize.inputWidths.sorted())
        #expect(LineSize.inputWidths.allSatisfy { $0.isMultiple(of: 8) })
    }

    @Test func theWidthOfALineFollowsFromItsShape() {
        #expect(LineSize(Quad(x: 0, y: 0, width: 100, height: 24)).width == 200)
        #expect(LineSize(Quad(x: 0, y: 0, width: 100, height: 24).turned(1)).width == 12)
        #expect(LineSize(Quad(x: 0, y: 0, width: 0, height: 24)).width == 8)
        #expect(LineSize(Quad(x: 0, y: 0, width: 0, height: 0)).width == 8)
        #expect(LineSize(Quad(x: 0, y: 0, width: 16384, height: 0)).width == 46_080)
    }

    @Test func aDegenerateLineHasTheLeastWidth() {
        #expect(LineSize(Quad(x: .nan, y: 0, width: 100, height: 24)).width == 8)
        #expect(LineSize(Quad(x: 0, y: 0, width: .infinity, height: 24)).width >= 8)
    }

    @Test(arguments: [(2880, 1), (2881, 2), (3840, 2), (3841, 3), (46_080, 24)])
    func aLineWiderThanTheWidestInputHasSections(width: Float, sections: Int) {
        let size = LineSize(Quad(x: 0, y: 0, width: width, height: 48))
        #expect(size.sectionCount == sections)
        #expect(size.isWhole == (sections == 1))
        #expect(size.recognizedWidth == 2400)
    }
}
