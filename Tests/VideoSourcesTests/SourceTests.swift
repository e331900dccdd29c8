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
        #expect(try SourceAddress("/dev/null") == .device("/dev/null"))
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

    @Test func rtmpIsExaminedLongerSinceItsSoundMayComeFirst() {
        #expect(!VideoInput.stream("rtmp://a/1").arguments.contains("-analyzeduration"))
        #expect(VideoInput.stream("rtsp://a/1").arguments.contains("-analyzeduration"))
    }

    @Test(arguments: [
        ("file:///films/a%20b.mp4", "/films/a b.mp4"), ("FILE://localhost/a=b.mp4", "/a=b.mp4"),
        ("file:///100%.mp4", "/100%.mp4"), ("/dev/shm/film.mp4", "/dev/shm/film.mp4"), ("file:a.mp4", "file:a.mp4"),
    ])
    func whatIsAFileIsNoLiveSource(address: String, path: String) throws {
        #expect(try SourceAddress(address) == .file(path))
    }

    @Test func aFileOfAnotherHostIsNone() throws {
        #expect(try SourceAddress("file://server/a.mp4") == .stream("file://server/a.mp4"))
    }

    @Test func messagesOfFFmpegHaveNoPassword() {
        let address = "rtsp://me:secret@cam/1?token=2"
        let message = VideoInput.stream(address).withoutCredentials("\(address): Connection refused")
        #expect(message == "cam/1: Connection refused")
    }

    @Test func aStreamThatBreaksSaysWhy() {
        let address = "http://me:secret@cam/1"
        let input = VideoInput.stream(address)
        let noise = "[h264 @ 0x1] no frame!"
        #expect(input.reasonOfEnd(in: ["\(address): Connection timed out", noise]) == "cam/1: Connection timed out")
        let ofVersion7 = "[in#0/h264 @ 0x2] Error during demuxing: Connection timed out"
        #expect(input.reasonOfEnd(in: [ofVersion7, noise]) == "Connection timed out")
        #expect(input.reasonOfEnd(in: [noise]) == nil)
    }

    @Test func ratesAreFractions() {
        #expect(FrameRate("30000/1001")?.description == "30000/1001")
        #expect(FrameRate("0.5")?.frameDuration == .seconds(2))
        #expect(FrameRate("25")?.frameDuration == .milliseconds(40))
        // A picture in eleven days.
        #expect(FrameRate("1/1000000")?.frameDuration == .seconds(1_000_000))
        let wrong = ["0", "-1", "0/0", "25/0", "-25/-1", "fast", "nan", "inf", "1e9", "2000/1", "0.0001", "1/2/3"]
        let tooFine = ["1/9223372036854775807", "9223372036854775807/1", "9223372036854775807/9223372036854775807"]
        for text in wrong + tooFine { #expect(FrameRate(text) == nil, "\(text)") }
    }

    @Test func aSlowRateLeavesTimeForItsFrames() {
        let sampling = PictureSampling(pace: FrameRate("1/60"))
        #expect(FFmpegSource(.stream("rtsp://cam/1"), sampling: sampling, maxPixels: 1).silence == .seconds(75))
        #expect(FFmpegSource(.device("/dev/video0"), sampling: .all, maxPixels: 1).silence == .seconds(15))
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

    @Test func theReasonIsALineThatSaysIt() {
        let refused = ["[tcp @ 0x1] Connection to tcp://a:1 failed", "rtsp://a:1: Connection refused"]
        #expect(ChildProcess.reason(in: refused) == "rtsp://a:1: Connection refused")
        let repeated = refused + ["    Last message repeated 4 times"]
        #expect(ChildProcess.reason(in: repeated) == "rtsp://a:1: Connection refused")
        let damage = "Error while decoding stream #0:0: Invalid data found when processing input"
        let consequences = [
            "Cannot determine format of input stream 0:0 after EOF", "Error marking filters as finished",
        ]
        #expect(ChildProcess.reason(in: [damage] + consequences) == damage)
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
            if attempt % 3 == 1 {
                mailbox.put(Frame(jpeg: [0xFF, 0xD8], capturedMicroseconds: UInt64(attempt)))
                mailbox.rejectPicture(for: "it is empty")
            }
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
            if seen.count == 7 { running.cancel() }
        }
        try await running.value
        await answering.value
        let expected: [SourceSupervisor.Change] = [
            .online(microseconds: 1), .badPicture("it is empty"), .offline("attempt 1"), .stillOffline("attempt 3"),
            .online(microseconds: 4), .badPicture("it is empty"), .offline("attempt 4"),
        ]
        #expect(Array(seen.prefix(7)) == expected)
    }

    @Test func aSourceWithoutAPictureThatCanBeUsedSaysWhy() async throws {
        struct Empty: FrameSource {
            let isLive = true
            let silence = Duration.seconds(60)

            func run(into mailbox: FrameMailbox) async throws {
                mailbox.rejectPicture(for: "it is empty")
                throw SourceError(.ended, "the stream has ended")
            }
        }
        let (changes, change) = AsyncStream.makeStream(of: SourceSupervisor.Change.self)
        let running = Task {
            try await SourceSupervisor(Empty()).run(into: FrameMailbox(isLive: true)) { change.yield($0) }
        }
        let first = await changes.first { if case .offline = $0 { true } else { false } }
        #expect(first == .offline("the stream has ended; it is empty"))
        running.cancel()
        try await running.value
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
