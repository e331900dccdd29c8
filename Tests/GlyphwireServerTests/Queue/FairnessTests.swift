import Testing

@testable import GlyphwireServer

/// A flood beside cameras, in simulated time: the queue schedules frames of given cost.
@Suite struct FairnessTests {
    /// Cameras of 640x480 at 15 frames a second, and the cost of their frames.
    private static let cameras = 4
    private static let period = 66_667
    private static let cameraCost = 12_000
    /// Cost of a frame of the flood: 27 times the pixels.
    private static let floodCost = 300_000
    private static let seconds = 60

    /// Service that the cameras got.
    private struct Outcome {
        var read = 0
        var dropped = 0
        var floodRead = 0
        /// Times from a frame's arrival to its result, in microseconds.
        var latencies: [Int] = []

        var p99: Int { self.latencies.sorted()[self.latencies.count * 99 / 100] }
    }

    private struct Frame {
        let isFlood: Bool
        let arrived: Int
        let connection: ConnectionID
    }

    /// Simulates a minute.
    ///
    /// - Parameters:
    ///   - workers: The number of workers.
    ///   - flood: The scheduling class of the flood's frames; `nil` for no flood. It always has as many waiting as
    ///     allowed.
    ///   - inOneLine: Whether all share one FIFO queue, as without the queue's rule.
    private func play(workers: Int, flood: FairQueue<Int>.SchedulingClass?, inOneLine: Bool = false) -> Outcome {
        var queue = FairQueue<Frame>(workers: workers)
        let start = ContinuousClock.now
        var outcome = Outcome()
        var inWork: [(frame: Frame, until: Int)] = []
        func connection(_ number: Int) -> ConnectionID { ConnectionID(inOneLine ? 1 : UInt64(number + 1)) }
        func append(_ number: Int, at time: Int) {
            let isFlood = number == Self.cameras
            let frame = Frame(isFlood: isFlood, arrived: time, connection: connection(number))
            let schedulingClass: FairQueue<Frame>.SchedulingClass =
                switch flood {
                case .parallel? where isFlood || inOneLine: .parallel
                case .exclusive? where isFlood: .exclusive
                default: .replaceable
                }
            let replaced = queue.append(frame, of: frame.connection, schedulingClass, at: start + .microseconds(time))
            if replaced?.isFlood == false { outcome.dropped += 1 }
        }
        // Cameras are not synchronized; each tick is a millisecond.
        for time in stride(from: 0, to: Self.seconds * 1_000_000, by: 1000) {
            for done in inWork where done.until <= time {
                queue.finished(done.frame.connection)
                if done.frame.isFlood {
                    outcome.floodRead += 1
                } else {
                    outcome.read += 1
                    outcome.latencies.append(done.until - done.frame.arrived)
                }
            }
            inWork.removeAll { $0.until <= time }
            for camera in 0..<Self.cameras where (time + camera * 17_000) % Self.period < 1000 {
                append(camera, at: time)
            }
            if flood == .replaceable {
                append(Self.cameras, at: time)
            } else if flood != nil {
                while queue.count < 4 { append(Self.cameras, at: time) }
            }
            while let frame = queue.popFirst(at: start + .microseconds(time)) {
                inWork.append((frame, time + (frame.isFlood ? Self.floodCost : Self.cameraCost)))
            }
        }
        return outcome
    }

    @Test(arguments: [FairQueue<Int>.SchedulingClass.replaceable, .parallel, .exclusive], [2, 4])
    func aFloodOfLargeFramesTakesNothingFromCameras(flood: FairQueue<Int>.SchedulingClass, workers: Int) {
        let undisturbed = self.play(workers: 1, flood: nil)
        let beside = self.play(workers: workers, flood: flood)
        #expect(undisturbed.dropped == 0 && undisturbed.read >= Self.cameras * Self.seconds * 15 - Self.cameras)
        #expect(beside.dropped == 0)
        #expect(beside.read >= undisturbed.read - 1)
        // At least one worker is reserved for them, however many the flood occupies.
        #expect(beside.p99 <= undisturbed.p99, "\(beside.p99)")
        #expect(
            beside.floodRead * Self.floodCost > Self.seconds * 1_000_000 * 8 / 10,
            "the flood is not starved either"
        )
    }

    @Test func withoutTurnsAFloodWouldStarveThem() {
        let undisturbed = self.play(workers: 1, flood: nil)
        let beside = self.play(workers: 2, flood: .parallel, inOneLine: true)
        #expect(beside.p99 > 10 * undisturbed.p99)
    }
}
