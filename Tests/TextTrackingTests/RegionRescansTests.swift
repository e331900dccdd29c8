import ImageCodecs
import TextModel
import TextRecognition
import Testing

@testable import TextTracking

@Suite struct RegionRescansTests {
    private static let place = Box(left: 100, top: 40, right: 180, bottom: 60)
    private static let elsewhere = Box(left: 400, top: 40, right: 480, bottom: 60)

    /// Track of a line at a place.
    private static func track(at box: Box = Self.place) -> Track {
        let line = TextLine(text: "EXIT", confidence: 0.9, box: Quad(box), words: [])
        var frame = GrayPlane()
        frame.resize(width: 640, height: 120)
        for index in 0..<frame.width * frame.height { frame.base[index] = index.isMultiple(of: 3) ? 60 : 180 }
        return Track(line, region: line.box, score: 0.9, in: frame)
    }

    /// Frames of the next `count` in which a place is scanned again, each time in vain.
    private static func scans(_ rescans: inout RegionRescans, count: Int) -> [Int] {
        (1...count).filter { _ in
            rescans.nextFrame()
            let due = rescans.due
            if !due.isEmpty {
                let regions = due.map { Box(around: $0, margin: 0) }
                rescans.recordScan(in: regions, lost: [], missing: [], tracks: [])
            }
            return !due.isEmpty
        }
    }

    @Test func aPlaceWhereTextWasLostIsScannedAgainEverMoreSeldom() {
        var rescans = RegionRescans()
        rescans.recordScan(in: [], lost: [Self.track()], missing: [Self.track()], tracks: [])
        #expect(Self.scans(&rescans, count: 60) == [1, 3, 7, 15])
    }

    @Test func aPlaceThatWasScannedInVainIsNotAddedAgainAtOnce() {
        var rescans = RegionRescans()
        rescans.recordScan(in: [], lost: [], missing: [Self.track()], tracks: [])
        _ = Self.scans(&rescans, count: 20)
        rescans.recordScan(in: [], lost: [], missing: [Self.track()], tracks: [])
        #expect(Self.scans(&rescans, count: 60).isEmpty)
        rescans.recordScan(in: [], lost: [], missing: [Self.track()], tracks: [])
        #expect(Self.scans(&rescans, count: 1) == [1])
    }

    @Test func aPlaceWhereTextIsFoundIsScannedNoMore() {
        var rescans = RegionRescans()
        rescans.recordScan(in: [], lost: [], missing: [Self.track()], tracks: [])
        var found = Self.track()
        found.state = .read
        rescans.nextFrame()
        rescans.recordScan(in: [Self.place], lost: [], missing: [], tracks: [found])
        #expect(Self.scans(&rescans, count: 20).isEmpty)
    }

    @Test func aScanElsewhereChangesNothing() {
        var rescans = RegionRescans()
        rescans.recordScan(in: [], lost: [], missing: [Self.track()], tracks: [])
        rescans.nextFrame()
        rescans.recordScan(in: [Self.elsewhere], lost: [], missing: [], tracks: [])
        #expect(rescans.due.count == 1)
        rescans.recordScan(in: nil, lost: [], missing: [], tracks: [])
        #expect(rescans.due.isEmpty)
    }

    @Test func newTextIsScannedAgainWithItsSurroundingsUnlessAFullScanFoundIt() throws {
        var rescans = RegionRescans()
        rescans.recordScan(in: [Self.place], lost: [], missing: [], tracks: [Self.track()])
        rescans.nextFrame()
        let place = try #require(rescans.due.first).bounds
        #expect(place.left < 60 && place.right > 220 && place.top < 40 && place.bottom > 60)

        var known = Self.track()
        known.wasHitByFullScan = true
        var others = RegionRescans()
        others.recordScan(in: nil, lost: [], missing: [], tracks: [known])
        others.recordScan(in: [Self.place], lost: [Self.track()], missing: [], tracks: [Self.track()])
        others.nextFrame()
        #expect(others.due.isEmpty)
    }

    @Test func placesMoveWithTheCamera() throws {
        var rescans = RegionRescans()
        rescans.recordScan(in: [], lost: [], missing: [Self.track()], tracks: [])
        let frame = Box(left: 0, top: 0, right: 640, bottom: 120)
        rescans.move(by: Affine(x: 200, y: 0), in: frame)
        rescans.nextFrame()
        #expect(try #require(rescans.due.first).bounds.left == 300)
        // Only the end of it is left in the frame, whose scan shows nothing of what was lost.
        rescans.move(by: Affine(x: 310, y: 0), in: frame)
        #expect(rescans.due.isEmpty)
    }

    @Test func whatWaitsIsBoundedAndWhatWaitsNoMoreMakesNoRoomShort() {
        var rescans = RegionRescans()
        func tracks(_ row: Int) -> [Track] {
            (0..<70).map { Self.track(at: Box(left: 100 * $0, top: row, right: 100 * $0 + 80, bottom: row + 20)) }
        }
        rescans.recordScan(in: [], lost: [], missing: tracks(40), tracks: [])
        rescans.nextFrame()
        #expect(rescans.due.count == 64)
        for _ in 1...4 { rescans.recordScan(in: nil, lost: [], missing: [], tracks: []) }
        rescans.recordScan(in: [], lost: [], missing: tracks(400), tracks: [])
        rescans.nextFrame()
        #expect(rescans.due.count == 64)
    }
}
