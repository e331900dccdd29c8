import GlyphwireClient
import GlyphwireProtocol
import HTTPRequests
import NIOCore
import TestSupport
import Testing

@testable import VideoSources

/// Cameras on the web whose answers are unusual, and used all the same.
@Suite(.timeLimit(.minutes(1))) struct HTTPSourceTests {
    /// A small JPEG: a header, a table and a scan without an end marker.
    private static let endless: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 2, 0xFF, 0xDA, 0, 3, 7, 8, 9, 10]
    private static let jpeg = Self.endless + [0xFF, 0xD9]

    private static func source(
        _ camera: StubCamera,
        _ path: String = "/",
        login: String = "",
        rate: String? = nil,
        limits: WireLimits = WireLimits(),
        headTime: Duration = HTTPRequester.headTime
    ) throws -> HTTPSource {
        let address = try #require(try HTTPAddress("http://\(login)127.0.0.1:\(camera.port)\(path)"))
        let maxRate = rate.flatMap { FrameRate($0) }
        var source = HTTPSource(address, interval: .milliseconds(1), maxRate: maxRate, limits: limits)
        source.headTime = headTime
        return source
    }

    /// The payloads of the first frames of a source.
    ///
    /// - Throws: The error of a source that has fewer.
    private static func payloads(
        _ count: Int,
        of source: HTTPSource,
        by mailbox: FrameMailbox = FrameMailbox(isLive: true)
    ) async throws -> [[UInt8]] {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { mailbox.finish() }
                try await source.run(into: mailbox)
            }
            var payloads: [[UInt8]] = []
            while payloads.count < count, let frame = await mailbox.take() {
                payloads.append(Array(frame.payload.readableBytesView))
                mailbox.answered()
            }
            if payloads.count < count { try await tasks.next() }
            tasks.cancelAll()
            return payloads
        }
    }

    @Test func aMotionJPEGWithoutAnEndMarkerComesWithItsLastByte() async throws {
        try await StubCamera.run({ _ in [.streamHead, .part(Self.endless)] }) { camera in
            let payloads = try await Self.payloads(1, of: try Self.source(camera))
            #expect(payloads == [Self.endless])
        }
    }

    @Test func aMotionJPEGMayPauseForLongerThanAnAnswerMayTake() async throws {
        let pause = StubCamera.Pause()
        let script: StubCamera.Script = { request in
            request.path == "/silent" ? [] : [.streamHead, .part(Self.jpeg), .wait(pause), .part(Self.endless)]
        }
        try await StubCamera.run(script) { camera in
            // Long enough for an answer on a busy machine.
            let headTime = Duration.milliseconds(500)
            let source = try Self.source(camera, headTime: headTime)
            let silent = try Self.source(camera, "/silent", headTime: headTime)
            let mailbox = FrameMailbox(isLive: true)
            let running = Task { try await source.run(into: mailbox) }
            let first = await mailbox.take()
            #expect(first.map { Array($0.payload.readableBytesView) } == Self.jpeg)
            mailbox.answered()
            // The time of a request that began later is over last.
            await #expect(throws: SourceError.self) { try await Self.payloads(1, of: silent) }
            pause.end()
            let second = await mailbox.take()
            #expect(second.map { Array($0.payload.readableBytesView) } == Self.endless)
            running.cancel()
            _ = await running.result
        }
    }

    @Test func theRateThinsMotionJPEGButAllFramesCountAsArrived() async throws {
        let script: StubCamera.Script = { _ in [.streamHead, .part(Self.endless), .part(Self.jpeg), .close] }
        try await StubCamera.run(script) { camera in
            let source = try Self.source(camera, rate: "0.001")
            #expect(source.silence == .seconds(1015))
            let mailbox = FrameMailbox(isLive: true)
            await #expect(throws: SourceError(.ended, "the stream has ended")) { try await source.run(into: mailbox) }
            #expect(mailbox.arrivals == 2)
            let frame = await mailbox.take()
            #expect(frame.map { Array($0.payload.readableBytesView) } == Self.endless)
        }
    }

    @Test func aStreamWithoutAFrameThatCanBeUsedSaysSo() async throws {
        try await StubCamera.run({ _ in [.streamHead, .part(Self.jpeg), .close] }) { camera in
            let limits = WireLimits(maxMessageBytes: MessageHeader.length(ofPayload: Self.jpeg.count - 1))
            let source = try Self.source(camera, limits: limits)
            let (changes, change) = AsyncStream.makeStream(of: SourceSupervisor.Change.self)
            let running = Task {
                try await SourceSupervisor(source).run(into: FrameMailbox(isLive: true)) { change.yield($0) }
            }
            var iterator = changes.makeAsyncIterator()
            #expect(
                await iterator.next() == .offline("the stream has ended; what came was cut off or too large")
            )
            running.cancel()
            try await running.value
        }
    }

    @Test func aConnectionThatTheCameraDoesNotKeepCostsNoPicture() async throws {
        let script: StubCamera.Script = { request in
            [request.indexOfConnection == 0 ? .answer(headers: ["Content-Type: image/jpeg"], body: Self.jpeg) : .close]
        }
        try await StubCamera.run(script) { camera in
            let payloads = try await Self.payloads(3, of: Self.source(camera))
            #expect(payloads == [Self.jpeg, Self.jpeg, Self.jpeg])
            #expect(camera.requests.contains { $0.indexOfConnection == 1 })
        }
    }

    @Test func aCameraThatNeverAnswersIsAskedTwiceAtMost() async throws {
        try await StubCamera.run({ _ in [.close] }) { camera in
            await #expect(throws: SourceError.self) { try await Self.payloads(1, of: Self.source(camera)) }
            #expect(camera.requests.count == 2)
        }
    }

    @Test(arguments: [["Content-Type: application/octet-stream"], ["Content-Type: binary/octet-stream"], []])
    func aPictureWithoutItsTypeIsRecognizedByItsBytes(headers: [String]) async throws {
        try await StubCamera.run({ _ in [.answer(headers: headers, body: Self.jpeg)] }) { camera in
            let payloads = try await Self.payloads(2, of: try Self.source(camera))
            #expect(payloads == [Self.jpeg, Self.jpeg])
        }
    }

    @Test(arguments: [["Content-Type: application/octet-stream"], []])
    func aPictureWithoutTypeAndLengthIsASnapshot(headers: [String]) async throws {
        try await StubCamera.run({ _ in [.head(headers), .send(Self.jpeg), .close] }) { camera in
            let payloads = try await Self.payloads(2, of: try Self.source(camera))
            #expect(payloads == [Self.jpeg, Self.jpeg])
            #expect(camera.requests.count >= 2)
        }
    }

    @Test(arguments: [["Content-Type: application/octet-stream"], []])
    func aMotionJPEGWithoutItsTypeIsAStream(headers: [String]) async throws {
        try await StubCamera.run({ _ in [.head(headers), .send(Self.jpeg + Self.jpeg.dropLast(2))] }) { camera in
            let payloads = try await Self.payloads(1, of: try Self.source(camera))
            #expect(payloads == [Self.jpeg])
            #expect(camera.requests.count == 1)
        }
    }

    @Test(arguments: ["video/x-motion-jpeg", "video/x-mjpeg", "video/mjpeg"])
    func aMotionJPEGMayHaveAnyOfItsTypes(type: String) async throws {
        let stream = Self.jpeg + Self.jpeg.dropLast(2)
        try await StubCamera.run({ _ in [.head(["Content-Type: \(type)"]), .send(stream)] }) { camera in
            let payloads = try await Self.payloads(1, of: try Self.source(camera))
            #expect(payloads == [Self.jpeg])
        }
    }

    @Test func aMotionJPEGOfTheTypeOfAPictureIsAStream() async throws {
        let stream = Array(repeating: Self.jpeg, count: 4).flatMap(\.self)
        try await StubCamera.run({ _ in [.head(["Content-Type: image/jpeg"]), .send(stream)] }) { camera in
            let payloads = try await Self.payloads(1, of: try Self.source(camera))
            #expect(payloads == [Self.jpeg])
            #expect(camera.requests.count == 1)
        }
    }

    /// Files of unknown length: one without an end marker, and one with two further pictures behind the first.
    private static let files = [Self.endless, Self.jpeg + Self.jpeg + Self.jpeg]

    @Test(arguments: Self.files)
    func aFileOfUnknownLengthIsASnapshotThoughItHoldsFurtherPictures(file: [UInt8]) async throws {
        try await StubCamera.run({ _ in [.head(["Content-Type: image/jpeg"]), .send(file), .close] }) { camera in
            let payloads = try await Self.payloads(2, of: try Self.source(camera))
            #expect(payloads == [file, file])
        }
    }

    @Test func aStreamOfOtherPicturesSaysSo() async throws {
        let head = Array("--frame\r\nContent-Type: image/png\r\n\r\n".utf8)
        try await StubCamera.run({ _ in [.streamHead, .send(head), .send(Self.startOfPNG)] }) { camera in
            let message = "the stream is not of JPEGs, as it must be, but of other pictures"
            await #expect(throws: SourceError(.notAPicture, message)) {
                try await Self.payloads(1, of: Self.source(camera))
            }
        }
    }

    private static let startOfPNG: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]

    /// Bodies in place of a picture, with their types.
    private static let damagedSnapshots: [(String, [UInt8])] = [
        ("image/jpeg", []), ("image/jpeg", [UInt8](repeating: 0, count: 500)),
        ("image/png", []), ("image/png", Self.startOfPNG),
        ("application/octet-stream", []), ("application/octet-stream", Self.startOfPNG),
        ("application/octet-stream", [UInt8](repeating: 7, count: 500)),
    ]

    @Test(arguments: Self.damagedSnapshots)
    func aDamagedSnapshotIsPassedOver(type: String, body: [UInt8]) async throws {
        let script: StubCamera.Script = { request in
            request.index == 1
                ? [.answer(headers: ["Content-Type: \(type)"], body: body)]
                : [.answer(headers: ["Content-Type: image/jpeg"], body: Self.jpeg)]
        }
        try await StubCamera.run(script) { camera in
            let mailbox = FrameMailbox(isLive: true)
            let payloads = try await Self.payloads(3, of: Self.source(camera), by: mailbox)
            #expect(payloads == [Self.jpeg, Self.jpeg, Self.jpeg])
            #expect(mailbox.rejections == 1)
        }
    }

    @Test func aSnapshotThatIsTooLargeIsPassedOver() async throws {
        let script: StubCamera.Script = { request in
            [.answer(headers: ["Content-Type: image/jpeg"], body: Self.jpeg + (request.index == 0 ? [0] : []))]
        }
        try await StubCamera.run(script) { camera in
            let limits = WireLimits(maxMessageBytes: MessageHeader.length(ofPayload: Self.jpeg.count))
            let mailbox = FrameMailbox(isLive: true)
            let payloads = try await Self.payloads(1, of: Self.source(camera, limits: limits), by: mailbox)
            #expect(payloads == [Self.jpeg])
            #expect(mailbox.rejectionReason == "the picture has more than \(Self.jpeg.count) bytes")
        }
    }

    @Test func whatIsNoPictureIsNamed() async throws {
        let script: StubCamera.Script = { _ in
            [.answer(headers: ["Content-Type: text/html"], body: Array("<!DOCTYPE html>".utf8))]
        }
        try await StubCamera.run(script) { camera in
            await #expect(throws: SourceError(.notAPicture, "the address has text/html, not a picture")) {
                try await Self.payloads(1, of: Self.source(camera))
            }
        }
    }

    /// A camera that moves its pictures to `target`, and asks for name and password there.
    private static func moved(to target: String) -> StubCamera.Script {
        { request in
            if request.path == "/old" { return [.answer("302 Found", headers: ["Location: \(target)"])] }
            let answer = request.authorization ?? ""
            return [
                answer.contains(#"username="me""#) && answer.contains(#"uri="\#(request.path)""#)
                    ? .answer(headers: ["Content-Type: image/jpeg"], body: Self.jpeg)
                    : .answer(
                        "401 Unauthorized",
                        headers: [#"WWW-Authenticate: Digest realm="cameras", nonce="1", qop="auth""#]
                    )
            ]
        }
    }

    @Test func theAddressAfterARedirectIsAuthenticatedAt() async throws {
        try await StubCamera.run(Self.moved(to: "/new?x=1")) { camera in
            let source = try Self.source(camera, "/old", login: "me:secret@")
            #expect(try await Self.payloads(2, of: source) == [Self.jpeg, Self.jpeg])
        }
    }

    @Test func anotherHostGetsNoPassword() async throws {
        try await StubCamera.run(Self.moved(to: "/")) { other in
            let target = "http://localhost:\(other.port)/new"
            try await StubCamera.run(Self.moved(to: target)) { camera in
                let source = try Self.source(camera, "/old", login: "me:secret@")
                await #expect(throws: SourceError(.unreachable, "the address answers 401 Unauthorized")) {
                    try await Self.payloads(1, of: source)
                }
                #expect(other.requests.map(\.authorization) == [nil])
            }
        }
    }

    @Test func redirectsInACircleEnd() async throws {
        try await StubCamera.run(Self.moved(to: "/old")) { camera in
            await #expect(throws: SourceError(.unreachable, "the address redirects more than 5 times")) {
                try await Self.payloads(1, of: Self.source(camera, "/old"))
            }
        }
    }

    @Test(arguments: [0, 65_536, 99_999])
    func aRedirectToAPortThatIsNoneMakesTheSourceUnreachable(port: Int) async throws {
        let target = "http://127.0.0.1:\(port)/x"
        try await StubCamera.run(Self.moved(to: target)) { camera in
            let message = "the address redirects to \(target), but the port cannot be \(port), only 1 to 65535"
            await #expect(throws: SourceError(.unreachable, message)) {
                try await Self.payloads(1, of: Self.source(camera, "/old"))
            }
        }
    }
}
