import GlyphwireClient
import NIOConcurrencyHelpers
import Testing

@testable import HTTPRequests
@testable import VideoSources

@Suite struct SourceTests {
    @Test func addressesSayWhatKindOfSourceTheyAre() throws {
        #expect(try SourceAddress("rtsp://me:secret@cam/1?x=2") == .stream("rtsp://me:secret@cam/1?x=2"))
        #expect(try SourceAddress("rtsp://me:secret@cam/1?x=2").name == "cam/1")
        #expect(try SourceAddress("/dev/video0") == .device("/dev/video0"))
        #expect(try SourceAddress("/dev/video0").name == "video0")
        #expect(try SourceAddress("films/a=b.mp4") == .file("films/a=b.mp4"))
        #expect(try SourceAddress("films/a=b.mp4").name == "a=b.mp4")
        guard case .http(let address) = try SourceAddress("http://me:s%40cret@cam:8080/a.jpg?channel=1") else {
            Issue.record("not HTTP")
            return
        }
        #expect(address.url == "http://cam:8080/a.jpg?channel=1")
        #expect(address.uri == "/a.jpg?channel=1")
        #expect(address.credentials == HTTPAuthentication.Credentials(user: "me", password: "s@cret"))
        #expect(try SourceAddress("http://me:s%40cret@cam:8080/a.jpg?channel=1").name == "cam:8080/a.jpg")
    }

    @Test func anAddressOfHTTPThatCannotBeRequestedIsAnError() {
        let message = "http://cam:99999/1 cannot be watched: the port cannot be 99999, only 1 to 65535"
        #expect(throws: SourceError(.unreachable, message)) { try SourceAddress("http://me:secret@cam:99999/1") }
        #expect(throws: SourceError.self) { try SourceAddress("http://a b/") }
    }

    @Test func messagesOfFFmpegHaveNoPassword() {
        let address = "rtsp://me:secret@cam/1?token=2"
        let source = FFmpegSource(.stream(address), maxRate: nil, maxPixels: 1)
        #expect(source.withoutCredentials("\(address): Connection refused") == "cam/1: Connection refused")
    }

    @Test func aStreamThatBreaksSaysWhy() {
        let address = "http://me:secret@cam/1"
        let source = FFmpegSource(.stream(address), maxRate: nil, maxPixels: 1)
        let noise = "[h264 @ 0x1] no frame!"
        let lines = [noise, "\(address): Connection timed out", "    Last message repeated 4 times"]
        #expect(source.reasonOfEnd(in: lines) == "the stream has ended: cam/1: Connection timed out")
        #expect(source.reasonOfEnd(in: [noise]) == nil)
    }

    @Test func ratesAreFractions() {
        #expect(FrameRate("30000/1001")?.position(ofFrame: 30) == 1_001_000)
        #expect(FrameRate("0.5")?.position(ofFrame: 1) == 2_000_000)
        #expect(FrameRate("25")?.frameDuration == .milliseconds(40))
        for wrong in ["0", "-1", "0/0", "25/0", "fast", "nan", "1e9"] { #expect(FrameRate(wrong) == nil, "\(wrong)") }
    }

    @Test func aSlowRateLeavesTimeForItsFrames() {
        let source = FFmpegSource(.stream("rtsp://cam/1"), maxRate: FrameRate("1/60"), maxPixels: 1)
        #expect(source.silence == .seconds(75))
        #expect(FFmpegSource(.device("/dev/video0"), maxRate: nil, maxPixels: 1).silence == .seconds(15))
    }

    @Test(arguments: [
        // A camera of about that rate loses no more than one frame.
        ([0, 99, 201, 299, 401, 498], [0, 201, 299, 401, 498]),
        // A faster one is thinned to the rate on average.
        (Array(stride(from: 0, through: 600, by: 40)), [0, 120, 200, 320, 400, 520, 600]),
        ([0, 1000, 1001, 1002, 1100], [0, 1000, 1001, 1100]),
    ])
    func framesAreTakenAtAPace(arrivals: [Int], taken: [Int]) throws {
        var pace = FramePace(try #require(FrameRate("10")))
        let start = ContinuousClock.now
        let result = arrivals.filter { pace.takesFrame(at: start + .milliseconds($0)) }
        #expect(result == taken)
    }

    @Test func headersOfBitmaps() {
        var bytes = [UInt8](repeating: 0, count: BMPHeader.byteCount)
        bytes.replaceSubrange(0..<2, with: Array("BM".utf8))
        (bytes[10], bytes[18], bytes[22], bytes[28]) = (54, 64, 48, 32)
        #expect(BMPHeader(bytes, maxPixels: 64 * 48)?.pixelByteCount == 64 * 48 * 4)
        #expect(BMPHeader(bytes, maxPixels: 64 * 48 - 1) == nil)
        for (place, value) in [(0, 0), (10, 55), (28, 24), (18, 0), (25, 0x80), (30, 3)] as [(Int, UInt8)] {
            var wrong = bytes
            wrong[place] = value
            #expect(BMPHeader(wrong, maxPixels: .max) == nil, "\(place)")
        }
    }

    @Test func theReasonIsALineThatSaysIt() {
        let refused = ["[tcp @ 0x1] Connection to tcp://a:1 failed", "rtsp://a:1: Connection refused"]
        #expect(ChildProcess.reason(in: refused) == "rtsp://a:1: Connection refused")
        let repeated = refused + ["    Last message repeated 4 times"]
        #expect(ChildProcess.reason(in: repeated) == "rtsp://a:1: Connection refused")
        let unknown = ["[tcp @ 0x1] Failed to resolve hostname a: unknown", "[rtmp @ 0x2] Cannot open"]
        #expect(
            ChildProcess.reason(in: unknown + ["rtmp://a: Input/output error"])
                == "rtmp://a: Input/output error (Failed to resolve hostname a: unknown)"
        )
        #expect(ChildProcess.reason(in: ["rtmp://a: Input/output error"]) == "rtmp://a: Input/output error")
        #expect(ChildProcess.reason(in: []) == "without a message")
    }

    @Test func aChildProcessIsReadToItsEnd() throws {
        let process = try ChildProcess(
            "sh",
            ["-c", "printf abc; echo some >&2; echo 'a reason' >&2; exit 3"],
            advice: ""
        )
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(bytes.withUnsafeMutableBytes { process.read(into: $0) } == 3)
        #expect(bytes.withUnsafeMutableBytes { process.read(into: $0) } == 0)
        #expect { try process.finish() } throws: { "\($0)" == "sh failed: a reason" }
    }

    @Test func aChildProcessThatEndsWellReturnsItsComplaints() throws {
        let process = try ChildProcess("sh", ["-c", "echo 'it was cut off' >&2"], advice: "")
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(bytes.withUnsafeMutableBytes { process.read(into: $0) } == 0)
        #expect(try process.finish() == ["it was cut off"])
    }

    @Test func aChildProcessThatIgnoresTheRequestToEndIsKilled() throws {
        let process = try ChildProcess(
            "sh",
            ["-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"],
            advice: ""
        )
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(bytes.withUnsafeMutableBytes { process.read(into: $0) } == 6)
        process.stop()
        #expect(bytes.withUnsafeMutableBytes { process.read(into: $0) } == 0)
        #expect(throws: SourceError.self) { try process.finish() }
    }

    @Test func aMissingProgramIsAnErrorWithAdvice() {
        #expect { try ChildProcess("no-such-program", [], advice: "install it") } throws: {
            $0 as? SourceError == SourceError(.missingProgram, "no-such-program is not installed; install it")
        }
    }
}

@Suite struct SourceSupervisorTests {
    /// A source that fails after each frame, and without a frame at each second attempt.
    private struct Flickering: FrameSource {
        let attempts = NIOLockedValueBox(0)
        let isLive = true
        let silence = Duration.seconds(60)

        func run(into mailbox: FrameMailbox) async throws {
            let attempt = self.attempts.withLockedValue { attempts in
                attempts += 1
                return attempts
            }
            if attempt % 3 == 1 { mailbox.put(Frame(jpeg: [0xFF, 0xD8], capturedMicroseconds: UInt64(attempt))) }
            // The second fails like the first.
            throw SourceError(.ended, "attempt \(attempt % 3 == 2 ? attempt - 1 : attempt)")
        }
    }

    @Test func eachChangeAndEachReasonIsReportedOnce() async throws {
        let (changes, change) = AsyncStream.makeStream(of: SourceSupervisor.Change.self)
        let backOff = BackOff(from: .milliseconds(1), to: .milliseconds(2))
        let mailbox = FrameMailbox(isLive: true)
        let answering = Task { while await mailbox.take() != nil { mailbox.answered() } }
        let running = Task {
            let supervisor = SourceSupervisor(Flickering(), backOff: backOff)
            try await supervisor.run(into: mailbox) { change.yield($0) }
            change.finish()
        }
        var seen: [SourceSupervisor.Change] = []
        for await change in changes {
            seen.append(change)
            if seen.count == 5 { running.cancel() }
        }
        try await running.value
        await answering.value
        #expect(
            seen.prefix(5) == [
                .online(microseconds: 1), .offline("attempt 1"), .stillOffline("attempt 3"), .online(microseconds: 4),
                .offline("attempt 4"),
            ]
        )
    }

    @Test func aSourceIsOfflineOnceItsLastFrameIsAnswered() async throws {
        struct Brief: FrameSource {
            let isLive = true
            let silence = Duration.seconds(60)

            func run(into mailbox: FrameMailbox) async throws {
                mailbox.put(Frame(jpeg: [0xFF, 0xD8]))
                throw SourceError(.ended, "end")
            }
        }
        let happenings = NIOLockedValueBox<[String]>([])
        let (offline, isOffline) = AsyncStream.makeStream(of: Void.self)
        let mailbox = FrameMailbox(isLive: true)
        let running = Task {
            try await SourceSupervisor(Brief()).run(into: mailbox) { change in
                guard case .offline = change else { return }
                happenings.withLockedValue { $0.append("offline") }
                isOffline.yield()
            }
        }
        #expect(await mailbox.take() != nil)
        // As long as the supervisor needs to see that the source has failed.
        for _ in 0..<1000 { await Task.yield() }
        happenings.withLockedValue { $0.append("answered") }
        mailbox.answered()
        for await _ in offline { break }
        #expect(happenings.withLockedValue(\.self) == ["answered", "offline"])
        running.cancel()
        try await running.value
    }

    @Test func aSilentSourceIsRestarted() async throws {
        struct Silent: FrameSource {
            let isLive = true
            let silence = Duration.milliseconds(1)

            func run(into mailbox: FrameMailbox) async throws { try await Task.sleep(for: .seconds(3600)) }
        }
        let (changes, change) = AsyncStream.makeStream(of: SourceSupervisor.Change.self)
        let running = Task {
            try await SourceSupervisor(Silent()).run(into: FrameMailbox(isLive: true)) { change.yield($0) }
        }
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == .offline("no picture has come for 0.001 seconds"))
        running.cancel()
        try await running.value
    }

    @Test func aFileThatFailsIsAnError() async {
        struct Broken: FrameSource {
            let isLive = false
            let silence = Duration.seconds(60)

            func run(into mailbox: FrameMailbox) async throws { throw SourceError(.notAPicture, "no video") }
        }
        let mailbox = FrameMailbox(isLive: false)
        await #expect(throws: SourceError(.notAPicture, "no video")) {
            try await SourceSupervisor(Broken()).run(into: mailbox) { _ in }
        }
        #expect(await mailbox.take() == nil)
    }
}
