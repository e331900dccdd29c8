import Testing

@testable import TextTracking

@Suite struct RescanScheduleTests {
    /// Frames of the next `count` in which a scan is due.
    private static func scans(_ schedule: inout RescanSchedule, count: Int, hasText: Bool = true) -> [Int] {
        (1...count).filter { _ in
            schedule.nextFrame(hasText: hasText)
            let isDue = schedule.isDue
            if isDue { schedule.recordScan(hasText: hasText) }
            return isDue
        }
    }

    @Test func intervalsDoubleAndEnd() {
        var schedule = RescanSchedule()
        #expect(Self.scans(&schedule, count: 60) == [1, 3, 7, 15])
    }

    @Test func newTextRestartsTheSchedule() {
        var schedule = RescanSchedule()
        _ = Self.scans(&schedule, count: 20)
        schedule.restart()
        #expect(Self.scans(&schedule, count: 5) == [1, 3])
    }

    @Test func aScanForAnotherReasonServesAsTheNextOne() {
        var schedule = RescanSchedule()
        schedule.recordScan(hasText: true)
        #expect(Self.scans(&schedule, count: 60) == [2, 6, 14])
    }

    @Test func theLastIntervalIsRepeatedWithoutText() {
        var schedule = RescanSchedule()
        #expect(Self.scans(&schedule, count: 40, hasText: false) == [1, 3, 7, 15, 23, 31, 39])
    }

    @Test func theScheduleGoesOnWhereTheTextHasGone() {
        var schedule = RescanSchedule()
        #expect(Self.scans(&schedule, count: 20) == [1, 3, 7, 15])
        #expect(Self.scans(&schedule, count: 20, hasText: false) == [3, 11, 19])
    }
}
