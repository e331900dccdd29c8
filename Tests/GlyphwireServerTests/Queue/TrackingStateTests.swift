import ImageCodecs
import GlyphwireProtocol
import TextModel
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import TextRecognition
import Testing

@testable import GlyphwireServer

/// Frames that share tracking state.
@Suite(.timeLimit(.minutes(2))) struct TrackingStateTests {
    /// Maximum number of a stream's frames in work at a time.
    private func most(inWorkUnder options: StreamConfiguration) async throws -> Int {
        let counts = NIOLockedValueBox((now: 0, most: 0))
        let both = Gate()
        return try await TestServer.run(
            { ($0.workers, $0.limits.maxFramesInFlight) = (2, 4) },
            reader: { pixels, _, _ in
                let now = counts.withLockedValue { counts in
                    counts.now += 1
                    counts.most = max(counts.most, counts.now)
                    return counts.now
                }
                // If two can be in work, the first waits for the second.
                if now == 2 || options.isTemporal { both.open() } else { both.wait() }
                counts.withLockedValue { $0.now -= 1 }
                return .text(String(pixels.firstByte))
            }
        ) { server in
            let client = try await TestClient.connect(port: server.port)
            try await client.send(([.configure(options)] + (1...20).map { Message.gray($0) } + [.end()]).bytes)
            let lines = try await client.remainingLines().map(\.summary)
            #expect(lines == ["hello", "configured 0"] + (1...20).map { "\($0): \($0)" } + ["end 0 after 20"])
            return counts.withLockedValue(\.most)
        }
    }

    /// A frame of a number of bytes.
    private func job(_ byteCount: Int, _ memory: TrackingState, report: ReportMode = .all) throws -> FrameJob {
        try self.job(ByteBuffer(repeating: 1, count: byteCount), width: byteCount, memory, report: report)
    }

    /// A gray frame.
    private func job(
        _ pixels: ByteBuffer,
        width: Int,
        _ memory: TrackingState,
        report: ReportMode = .all,
        delivery: Delivery = .live,
        capturedMicroseconds: UInt64 = 0,
        at time: ContinuousClock.Instant = .now
    ) throws -> FrameJob {
        let header = MessageHeader(
            type: .frame,
            format: .gray,
            width: UInt16(width),
            height: UInt16(pixels.readableBytes / width),
            payloadByteCount: pixels.readableBytes
        )
        return FrameJob(
            connection: ConnectionID(1),
            ticket: 1,
            sequence: 1,
            capturedMicroseconds: capturedMicroseconds,
            frame: try FrameDescription(header: header, limits: WireLimits()),
            payload: pixels,
            configuration: StreamConfiguration(delivery: delivery, report: report),
            tracking: memory,
            arrival: FrameArrival(at: time, wallMicroseconds: 0, capturedMicroseconds: 0, clockOffset: nil),
            finish: { _, _ in }
        )
    }

    @Test func whatStreamsRememberIsBounded() throws {
        let budget = MemoryBudget(limit: 1000)
        let text = FrameText(width: 1, height: 1, orientation: .up, level: .fast, lines: [], coordinates: .sent)
        do {
            let (first, second) = (TrackingState(budget: budget), TrackingState(budget: budget))
            first.remember(try self.job(600, first), text: text)
            second.remember(try self.job(600, second), text: text)
            #expect(budget.heldByteCount == 600)
            #expect(try first.text(of: self.job(600, first)) != nil)
            #expect(try second.text(of: self.job(600, second)) == nil, "there was no room")
            second.remember(try self.job(400, second), text: text)
            #expect(budget.heldByteCount == 1000)
            first.remember(try self.job(300, first), text: nil)
            #expect(budget.heldByteCount == 400, "a frame that could not be read is not remembered")
        }
        #expect(budget.heldByteCount == 0)
    }

    @Test func aFrameThatIsTheOneBeforeHasItsWarnings() throws {
        let memory = TrackingState(budget: MemoryBudget(limit: 1000))
        let warnings = [FrameWarning(.jpegNoEnd), FrameWarning(.jpegDamaged, row: 8)]
        let text = FrameText(width: 9, height: 9, orientation: .up, level: .fast, lines: [], warnings: warnings)
        memory.remember(try self.job(600, memory), text: text)
        let repeated = try #require(memory.text(of: try self.job(600, memory)))
        #expect(repeated.reused && repeated.warnings == warnings)
    }

    /// Reader that detects no text.
    private final class BlankReader: RegionReader {
        func detect(in frame: UprightFrame, regions: [PixelRect]?, options: ReadingOptions) throws(RecognitionError)
            -> [DetectedLine]
        {
            []
        }

        func propose(in frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> [DetectedLine] { [] }

        func read(
            _ lines: [DetectedLine],
            in frame: UprightFrame,
            options: ReadingOptions,
            votes: inout LineVotes
        ) throws(RecognitionError) -> [TextLine?] { lines.map { _ in nil } }

        func detectionCost(of regions: [PixelRect], in frame: UprightFrame, options: ReadingOptions) -> Float { 0.1 }

        func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(RecognitionError)
            -> Reading
        {
            Reading(lines: [], detect: .zero, recognize: .zero)
        }
    }

    /// A light picture of 128 x 96 with a dark square at a column; without it at `nil`.
    private static func picture(_ column: Int?) -> ByteBuffer {
        var pixels = [UInt8](repeating: 200, count: 128 * 96)
        for y in 16..<32 {
            for x in column.map({ $0..<$0 + 16 }) ?? 0..<0 { pixels[y * 128 + x] = 30 }
        }
        return ByteBuffer(bytes: pixels)
    }

    @Test func aRepeatedFrameIsScannedUntilAllOfItWasScannedOnce() throws {
        let state = TrackingState(budget: MemoryBudget(limit: 1_000_000))
        let worker = FrameWorker(reader: BlankReader(), limits: WireLimits())
        // The square is scanned where it comes up, not where it moves next, and there once it stands still.
        let frames: [(column: Int?, milliseconds: Int, scan: TrackingWork.Scan)] = [
            (nil, 0, .full), (nil, 40, .none), (16, 80, .regions), (24, 120, .none), (24, 160, .regions),
            (24, 200, .none), (24, 2500, .full), (24, 5000, .none),
        ]
        let start = ContinuousClock.now - .seconds(10)
        for frame in frames {
            let time = start + .milliseconds(frame.milliseconds)
            let answer = worker.answer(try self.job(Self.picture(frame.column), width: 128, state, at: time))
            #expect(answer.result.work?.scan == frame.scan, "at \(frame.milliseconds) ms")
        }
    }

    @Test(arguments: [(Delivery.every, [2, 4]), (.live, [])])
    func aRecordingIsScannedByItsOwnTimes(_ delivery: Delivery, scanned: [Int]) throws {
        let state = TrackingState(budget: MemoryBudget(limit: 1_000_000))
        let worker = FrameWorker(reader: BlankReader(), limits: WireLimits())
        let arrival = ContinuousClock.now
        // A second apart, and sent at once; the square moves, so that a full scan is due every other second.
        let scans = try (0..<6).map { index in
            let job = try self.job(
                Self.picture(8 * index),
                width: 128,
                state,
                delivery: delivery,
                capturedMicroseconds: UInt64(1_000_000 * (index + 1)),
                at: arrival + .milliseconds(index)
            )
            return worker.answer(job).result.work?.scan
        }
        #expect(scans.indices.dropFirst().filter { scans[$0] == .full } == scanned)
    }

    @Test func framesThatAreComparedAreReadOneAfterTheOther() async throws {
        #expect(try await self.most(inWorkUnder: StreamConfiguration(delivery: .every, temporal: true)) == 1)
    }

    @Test func framesThatAreNotComparedAreReadTogether() async throws {
        #expect(try await self.most(inWorkUnder: StreamConfiguration(delivery: .every)) == 2)
    }

    @Test func watchersSeeAllTextOfAStreamThatReportsChanges() throws {
        var text = FrameText(width: 1, height: 1, orientation: .up, level: .fast, lines: [], coordinates: .sent)
        text.changes = []
        let result = FrameResult(sequence: 1, capturedMicroseconds: 0, outcome: .ok(text), timings: FrameTimings())
        let frame = FinishedFrame(result)
        #expect(String(buffer: frame.line).contains(#""changes":[]"#))
        #expect(String(buffer: frame.completeLine).contains(#""text":"","lines":[]"#))
    }

    @Test func changesAreForgottenWhenTheStreamReportsAllText() throws {
        let state = TrackingState(budget: MemoryBudget(limit: 1000))
        let box = Quad(
            topLeft: Point(x: 0, y: 0),
            topRight: Point(x: 9, y: 0),
            bottomRight: Point(x: 9, y: 9),
            bottomLeft: Point(x: 0, y: 9)
        )
        let line = TextLine(text: "EXIT", confidence: 1, box: box, words: [])
        let text = FrameText(width: 9, height: 9, orientation: .up, level: .fast, lines: [line], coordinates: .sent)
        let (all, changes) = (try self.job(9, state), try self.job(9, state, report: .changes))
        #expect(state.changes(in: text, of: all) == nil)
        #expect(state.changes(in: text, of: changes)?.map(\.name) == ["appeared"])
        #expect(state.changes(in: text, of: changes) == [])
        #expect(state.changes(in: text, of: all) == nil)
        #expect(state.changes(in: text, of: changes)?.map(\.name) == ["appeared"])
    }
}
