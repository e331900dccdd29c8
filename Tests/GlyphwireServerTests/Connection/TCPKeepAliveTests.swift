import NIOCore
import TestSupport
import Testing

@testable import GlyphwireServer

/// TCP keep-alive of silent clients.
///
/// A disconnected client needs a network that can be cut: see `Tests/OtherTools`.
@Suite(.timeLimit(.minutes(1))) struct TCPKeepAliveTests {
    @Test(arguments: [(150, [75, 18, 4, 150_000]), (1, [1, 1, 4, 1000]), (65_000, [32_500, 8125, 4, 65_000_000])])
    func theTimeIsDividedAmongTheQuestions(seconds: Int, values: [Int]) {
        #expect(TCPKeepAlive(time: .seconds(seconds)).options.map(\.value) == values)
    }

    @Test func aQuietConnectionIsAskedForASignOfLife() async throws {
        try await TestServer.run({ $0.limits.peerTime = .seconds(40) }) { server in
            let client = try await TestClient.connect(port: server.port)
            #expect(try await client.nextLine()?.summary == "hello")
            let own = try #require(client.channel.localAddress?.port)
            let hundredths = try KeepAliveTimer.hundredths(from: server.port, to: own)
            // By default it is two hours.
            #expect((1...2001).contains(hundredths))
            try await client.close()
        }
    }
}
