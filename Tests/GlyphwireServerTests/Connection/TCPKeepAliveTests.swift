import Foundation
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

    @Test(arguments: [Duration.milliseconds(999), .seconds(65_001)])
    func aTimeThatTheSystemCannotMeasureIsRejected(time: Duration) {
        var configuration = ServerConfiguration()
        configuration.limits.peerTime = time
        #expect { try GlyphwireServer.validate(configuration) } throws: {
            ($0 as? GlyphwireServerError)?.code == .invalidLimit
        }
    }

    @Test func aQuietConnectionIsAskedForASignOfLife() async throws {
        try await TestServer.run({ $0.limits.peerTime = .seconds(40) }) { server in
            let client = try await TestClient.connect(port: server.port)
            #expect(try await client.nextLine()?.summary == "hello")
            let own = try #require(client.channel.localAddress?.port)
            // Until the client's system has acknowledged the `hello`, another timer runs.
            var keepAlive: Int?
            repeat {
                try Task.checkCancellation()
                keepAlive = try Self.keepAlive(from: server.port, to: own)
            } while keepAlive == nil
            let hundredths = try #require(keepAlive)
            // By default it is two hours.
            #expect((1...2001).contains(hundredths))
            try await client.close()
        }
    }

    /// Hundredths of a second until the keep-alive timer of a connection between these ports fires; `nil` without one.
    private static func keepAlive(from local: Int, to remote: Int) throws -> Int? {
        func port(_ column: Substring) -> Int? { column.split(separator: ":").last.flatMap { Int($0, radix: 16) } }
        // It is returned in parts, so it must be read to its end.
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/net/tcp")).readToEnd() ?? Data()
        for row in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            let columns = row.split(separator: " ")
            guard columns.count > 5, port(columns[1]) == local, port(columns[2]) == remote else { continue }
            let timer = columns[5].split(separator: ":")
            // 2 is the keep-alive timer.
            return timer.count == 2 && timer[0] == "02" ? Int(timer[1], radix: 16) : nil
        }
        return nil
    }
}
