import FrameCodecs
import GlyphwireProtocol
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import TextEngine
import Testing

@testable import GlyphwireServer

/// Which frames share what is known of earlier ones.
@Suite(.timeLimit(.minutes(2))) struct StreamMemoryTests {
    /// How many frames of a stream are in work at a time, at most.
    private func most(inWorkUnder options: StreamConfiguration) async throws -> Int {
        let counts = NIOLockedValueBox((now: 0, most: 0))
        let both = Gate()
        return try await TestServer.run(
            { ($0.workers, $0.limits.window) = (2, 4) },
            reader: { pixels, _, _ in
                let now = counts.withLockedValue { counts in
                    counts.now += 1
                    counts.most = max(counts.most, counts.now)
                    return counts.now
                }
                // Where two can be in work, the first waits for the second.
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

    @Test func framesThatAreComparedAreReadOneAfterTheOther() async throws {
        #expect(try await self.most(inWorkUnder: StreamConfiguration(delivery: .every, temporal: true)) == 1)
    }

    @Test func framesThatAreNotComparedAreReadTogether() async throws {
        #expect(try await self.most(inWorkUnder: StreamConfiguration(delivery: .every)) == 2)
    }
}
