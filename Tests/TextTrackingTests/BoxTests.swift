import GlyphwireProtocol
import TextModel
import Testing

@testable import TextTracking

/// Truncation of a line by a box.
@Suite struct BoxTests {
    private static let part = Box(left: 100, top: 100, right: 160, bottom: 300)
    private static let frame = Box(left: 0, top: 0, right: 640, bottom: 480)

    private static func isCut(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int, in region: Box = Self.frame) -> Bool
    {
        Self.part.cutsAcross(Quad(Box(left: left, top: top, right: right, bottom: bottom)), in: region)
    }

    @Test func aLineInsideABoxIsNotCut() {
        #expect(!Self.isCut(110, 150, 150, 170))
        #expect(!Self.isCut(110, 110, 150, 290))
    }

    @Test func aLineThatExtendsBeyondABoxAtItsEndsIsNotCutAcross() {
        #expect(!Self.isCut(60, 150, 200, 180))
        #expect(!Self.isCut(120, 60, 140, 340))
    }

    @Test func aLineThatExtendsBeyondABoxOnBothLongSidesIsCutAcross() {
        #expect(Self.isCut(102, 110, 158, 290))
        #expect(Self.isCut(90, 90, 170, 310))
        #expect(!Self.isCut(102, 110, 140, 290))
    }

    @Test func aLineTruncatedAtOneEndIsNotCutAcross() {
        #expect(!Self.isCut(157, 150, 160, 152))
    }

    @Test func aLineThatOneEdgeOfABoxCutsOffIsTruncated() {
        func isTruncated(_ left: Int, _ right: Int, in region: Box = Self.frame) -> Bool {
            Self.part.truncates(Quad(Box(left: left, top: 150, right: right, bottom: 170)), in: region)
        }
        #expect(isTruncated(110, 159))
        #expect(isTruncated(101, 150))
        #expect(!isTruncated(110, 150))
        #expect(!isTruncated(110, 159, in: Box(left: 0, top: 0, right: 160, bottom: 480)), "the frame ends there")
    }

    /// Boxes of some numbers that change far apart on a screen, with the margin of a scan.
    private static func numbers(_ count: Int) -> [Box] {
        (0..<count).map { index in
            let (x, y) = (20 + index % 5 * 250, 10 + index / 5 * 120)
            return Box(left: x, top: y, right: x + 60, bottom: y + 20).expanded(by: 24)
        }
    }

    @Test(arguments: [8, 32, 33, 40]) func boxesThatLieFarApartAreNotJoined(count: Int) {
        var boxes = Self.numbers(count)
        boxes.merge()
        #expect(boxes == Self.numbers(count))
    }

    @Test func boxesAllOverAFrameAreJoined() {
        var boxes = (0..<900).map { index in
            let (x, y) = (index % 30 * 40, index / 30 * 24)
            return Box(left: x, top: y, right: x + 8, bottom: y + 8).expanded(by: 24)
        }
        boxes.append(Box(left: 5, top: 5, right: 5, bottom: 9))
        boxes.merge()
        #expect(boxes == [Box(left: -24, top: -24, right: 29 * 40 + 32, bottom: 29 * 24 + 32)])
    }

    @Test func theEdgeOfTheFrameCutsNoLineAcross() {
        let frame = Box(left: 100, top: 0, right: 640, bottom: 480)
        #expect(!Self.isCut(90, 110, 158, 290, in: frame))
        #expect(Self.isCut(102, 110, 158, 290))
    }
}
