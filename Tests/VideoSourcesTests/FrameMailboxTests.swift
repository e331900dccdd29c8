import GlyphwireClient
import Testing

@testable import VideoSources

@Suite struct FrameMailboxTests {
    private static func frame(_ number: UInt64) -> Frame { Frame(jpeg: [0xFF, 0xD8], capturedMicroseconds: number) }

    @Test func theNewestFrameOfALiveSourceWins() async {
        let mailbox = FrameMailbox(isLive: true)
        for number in 1...3 { mailbox.put(Self.frame(UInt64(number))) }
        #expect(await mailbox.take()?.capturedMicroseconds == 3)
        #expect(mailbox.arrivals == 3)
    }

    @Test func aFrameIsTakenOnceTheOneBeforeIsAnswered() async {
        let mailbox = FrameMailbox(isLive: true)
        mailbox.put(Self.frame(1))
        #expect(await mailbox.take()?.capturedMicroseconds == 1)
        mailbox.put(Self.frame(2))
        async let next = mailbox.take()
        mailbox.put(Self.frame(3))
        mailbox.answered()
        // Taken after the answer, it is the newest frame of that moment, or of the moment of `take`.
        #expect([2, 3].contains(await next?.capturedMicroseconds))
    }

    @Test func noFrameOfAFileIsDropped() async {
        let mailbox = FrameMailbox(isLive: false)
        let writer = Task.detached {
            for number in 1...5 { mailbox.put(Self.frame(UInt64(number))) }
            mailbox.finish()
        }
        var numbers: [UInt64] = []
        while let frame = await mailbox.take() {
            numbers.append(frame.capturedMicroseconds)
            mailbox.answered()
        }
        await writer.value
        #expect(numbers == [1, 2, 3, 4, 5])
    }

    @Test func cancellationReleasesBothSides() async {
        let mailbox = FrameMailbox(isLive: false)
        let writer = Task.detached {
            for number in 1...20 { mailbox.put(Self.frame(UInt64(number))) }
        }
        let reader = Task { await mailbox.take() }
        reader.cancel()
        _ = await reader.value
        mailbox.cancel()
        await writer.value
        #expect(await mailbox.take() == nil)
    }
}
