import GlyphwireProtocol
import Testing

@testable import GlyphwireReplay

@Suite struct FrameNumberingTests {
    private static func numbers(_ frames: [(UInt64, UInt64)], passes: Int) -> [[UInt64]] {
        var numbering = FrameNumbering()
        return (0..<passes).flatMap { _ in
            let headers = frames.map { sequence, captured in
                numbering.next(TestSession.frame(sequence, captured: captured).header)
            }
            numbering.startOver()
            return headers.map { [$0.sequence, $0.capturedMicroseconds] }
        }
    }

    @Test func theFirstTimeIsAsRecorded() {
        #expect(Self.numbers([(7, 100), (9, 140), (8, 0)], passes: 1) == [[7, 100], [9, 140], [8, 0]])
    }

    @Test func laterTimesGoOn() {
        #expect(
            Self.numbers([(7, 100), (8, 140), (9, 180)], passes: 3)
                == [
                    [7, 100], [8, 140], [9, 180],
                    [10, 220], [11, 260], [12, 300],
                    [13, 340], [14, 380], [15, 420],
                ]
        )
    }

    @Test func numbersAtTheEndOfTheirRangeDoNotTrap() {
        let numbers = Self.numbers([(0, .max), (.max, 1)], passes: 3)
        #expect(numbers.count == 6)
    }
}
