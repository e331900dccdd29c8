import GlyphwireProtocol
import TextModel
import Logging
import NIOCore
import SystemSupport
import TestSupport
import Testing

@testable import GlyphwireServer

/// Access control, over real sockets.
@Suite(.timeLimit(.minutes(2))) struct AccessTests {
    private func firstAnswer(_ client: TestClient, _ token: String) async throws -> String? {
        try await client.send(.configure(StreamConfiguration(token: token), sequence: 1))
        #expect(try await client.nextLine()?.summary == "hello")
        return try await client.nextLine()?.summary
    }

    @Test func eachOfSeveralTokensLetsIn() async throws {
        try await TestServer.run({
            $0.tokens = [AccessToken("one", name: "gate"), AccessToken("two", name: "yard")]
            $0.limits.wrongTokenDelay = .zero
        }) { server in
            for (token, answer) in [
                ("one", "configured 1"), ("two", "configured 1"), ("on", "auth_failed 1"), ("onetwo", "auth_failed 1"),
            ] {
                let client = try await TestClient.connect(port: server.port)
                #expect(try await self.firstAnswer(client, token) == answer)
                try await client.close()
            }
        }
    }

    @Test func aClientThatSendsNothingIsAskedForItsToken() async throws {
        try await TestServer.run({
            $0.tokens = [AccessToken("one", name: "gate")]
            $0.limits.firstMessageTime = .milliseconds(50)
        }) { server in
            let client = try await TestClient.connect(port: server.port)
            guard case .error(let line) = try await client.remainingLines().last else {
                Issue.record("no error")
                return
            }
            #expect(line.error.code == .timeout)
            #expect(line.error.message.contains("the token") && !line.error.message.contains("ping"))
            try await client.close()
        }
    }

    @Test func anExpiredTokenIsRefused() async throws {
        let now = Int(WallClock.microseconds / 1_000_000)
        try await TestServer.run({
            $0.tokens = [
                AccessToken("old", name: "old", expirySeconds: now - 1),
                AccessToken("new", name: "new", expirySeconds: now + 3600),
            ]
        }) { server in
            for (token, answer) in [("old", "auth_failed 1"), ("new", "configured 1")] {
                let client = try await TestClient.connect(port: server.port)
                #expect(try await self.firstAnswer(client, token) == answer)
                try await client.close()
            }
        }
    }

    @Test func aTokenThatExpiresEndsTheConnectionsThatItLetIn() async throws {
        let later = AccessToken("later", name: "later")
        try await TestServer.run({ $0.tokens = [AccessToken("soon", name: "soon"), later] }) { server in
            let ending = try await TestClient.connect(port: server.port)
            #expect(try await self.firstAnswer(ending, "soon") == "configured 1")
            let staying = try await TestClient.connect(port: server.port)
            #expect(try await self.firstAnswer(staying, "later") == "configured 1")
            let expiry = WallClock.seconds + 2
            server.replace(tokens: [AccessToken("soon", name: "soon", expirySeconds: expiry), later])
            #expect(try await ending.remainingLines().map(\.summary) == ["auth_failed -"])
            #expect(WallClock.seconds >= expiry)
            try await staying.send(.gray(1))
            #expect(try await staying.nextLine()?.summary == "1: 1")
            try await ending.close()
            try await staying.close()
        }
    }

    @Test func tokensThatExpireSoonOrHaveExpiredAreWarnedOf() async throws {
        let (logger, entries) = Logger.recorded()
        let day = 86_400
        let soon = AccessToken("a", name: "soon", expirySeconds: WallClock.seconds + 13 * day)
        let later = AccessToken("b", name: "later", expirySeconds: WallClock.seconds + 15 * day)
        let past = AccessToken("c", name: "past", expirySeconds: 1)
        try await TestServer.run({ $0.tokens = [later, AccessToken("d", name: "always"), soon] }, logger: logger) {
            let first = try #require(await entries.first { $0.metadata["token"] != nil })
            #expect(first.level == .warning && first.message == "token expires soon")
            #expect(first.metadata["token"] == "soon" && first.metadata["expires"]?.hasSuffix("Z") == true)
            $0.replace(tokens: [later, past])
            let second = try #require(await entries.first { $0.metadata["token"] != nil })
            #expect(second.message == "token has expired" && second.metadata["token"] == "past")
            #expect(second.metadata["expires"] == "1970-01-01T00:00:01Z")
        }
    }

    @Test func aTokenEndsSoonInItsLastFourteenDays() throws {
        let day = 86_400
        let credential = try #require(Credential.all(of: [AccessToken("a", name: "a", expirySeconds: 100 * day)]).first)
        let states = [86 * day, 86 * day + 1, 100 * day - 1, 100 * day].map(credential.state)
        #expect(states == [.valid, .endsSoon, .endsSoon, .ended])
        #expect(Credential.all(of: [AccessToken("a")]).isEmpty)
    }

    @Test(
        arguments: [
            // The ends of the tokens, and whether those that have ended have every client refused.
            ([1, 2], true), ([1, 3], false), ([1, nil], false),
        ] as [([Int?], Bool)]
    )
    func aTokenThatHasEndedHasAllRefusedWithoutAnotherOne(ends: [Int?], refusesAll: Bool) throws {
        var configuration = ServerConfiguration()
        configuration.tokens = ends.enumerated().map { AccessToken("\($0)", name: "\($0)", expirySeconds: $1) }
        let credential = try #require(try configuration.credentials().first)
        #expect(credential.state(at: 2) == .ended && credential.refusesAll(at: 2) == refusesAll)
    }

    @Test func thatATokenHasExpiredIsNoticedOnceAndAgainWhenTheClockWasSetBack() {
        let access = AccessControl(tokens: [
            AccessToken("a", name: "a", expirySeconds: 100), AccessToken("b", name: "b"),
        ])
        let times = [98, 99, 100, 101, 101, 90, 99, 102, 103]
        #expect(times.filter { access.hasExpiredToken(at: $0) } == [100, 102])
        #expect(access.changes == 2)
        access.replace(with: [AccessToken("c", name: "c")])
        #expect(access.changes == 3)
    }

    @Test func aTokenLimitsItsConnections() async throws {
        try await TestServer.run({
            $0.tokens = [AccessToken("one", name: "one", maxConnections: 1), AccessToken("two", name: "two")]
        }) { server in
            let first = try await TestClient.connect(port: server.port)
            #expect(try await self.firstAnswer(first, "one") == "configured 1")
            try await first.send(.configure(StreamConfiguration(token: "one"), sequence: 2))
            #expect(try await first.nextLine()?.summary == "configured 2", "the same connection is not counted twice")
            let second = try await TestClient.connect(port: server.port)
            #expect(try await self.firstAnswer(second, "one") == "too_many_connections 1")
            try await second.close()
            let third = try await TestClient.connect(port: server.port)
            #expect(try await self.firstAnswer(third, "two") == "configured 1")
            try await third.close()
            try await first.send(.end())
            #expect(try await first.remainingLines().map(\.summary) == ["end 0 after 0"])
            try await first.close()
            var answer: String?
            repeat {
                let next = try await TestClient.connect(port: server.port)
                answer = try await self.firstAnswer(next, "one")
                try await next.close()
            } while answer == "too_many_connections 1"
            #expect(answer == "configured 1")
        }
    }

    @Test func anAddressWithWrongTokensIsRefused() async throws {
        try await TestServer.run({
            $0.tokens = [AccessToken("right")]
            $0.limits.maxWrongTokens = 3
            $0.limits.wrongTokenDelay = .milliseconds(1)
        }) { server in
            for number in 0..<3 {
                let client = try await TestClient.connect(port: server.port)
                #expect(try await self.firstAnswer(client, "guess \(number)") == "auth_failed 1")
                try await client.close()
            }
            let client = try await TestClient.connect(port: server.port)
            #expect(try await client.remainingLines().map(\.summary) == ["hello", "too_many_guesses -"])
            try await client.close()
        }
    }

    @Test func camerasThatShowTheSameOldTokenDoNotLockOutTheirAddress() async throws {
        try await TestServer.run({
            $0.tokens = [AccessToken("right")]
            $0.limits.maxWrongTokens = 2
            $0.limits.wrongTokenDelay = .milliseconds(1)
        }) { server in
            for (token, answer) in Array(repeating: ("old", "auth_failed 1"), count: 5) + [("right", "configured 1")] {
                let client = try await TestClient.connect(port: server.port)
                #expect(try await self.firstAnswer(client, token) == answer)
                try await client.close()
            }
        }
    }

    @Test func guessesAreLimitedOnConnectionsThatWereOpenedBefore() async throws {
        try await TestServer.run({
            $0.tokens = [AccessToken("right")]
            $0.limits.maxWrongTokens = 3
            $0.limits.wrongTokenDelay = .milliseconds(1)
        }) { server in
            var clients: [TestClient] = []
            for _ in 0..<5 {
                let client = try await TestClient.connect(port: server.port)
                #expect(try await client.nextLine()?.summary == "hello")
                clients.append(client)
            }
            for (index, client) in clients.enumerated() {
                let token = index == 4 ? "right" : "guess \(index)"
                try await client.send(.configure(StreamConfiguration(token: token), sequence: 1))
                let answer = index < 3 ? "auth_failed 1" : "too_many_guesses 1"
                #expect(try await client.remainingLines().map(\.summary) == [answer])
                try await client.close()
            }
        }
    }

    @Test func aTokenThatIsRepeatedIsOneGuess() throws {
        let wrongTokens = WrongTokenCounter(limit: 10)
        let start = ContinuousClock.now
        for _ in 0..<20 { wrongTokens.add("old", from: "192.0.2.1", at: start) }
        try wrongTokens.check("192.0.2.1", at: start)
        // Two pages behind one proxy may repeat theirs in turns.
        for _ in 0..<20 { wrongTokens.add("older", from: "192.0.2.1", at: start) }
        for _ in 0..<20 { wrongTokens.add("old", from: "192.0.2.1", at: start) }
        try wrongTokens.check("192.0.2.1", at: start)
        for number in 0..<8 { wrongTokens.add("\(number)", from: "192.0.2.1", at: start) }
        #expect {
            try wrongTokens.check("192.0.2.1", at: start)
        } throws: {
            ($0 as? WireError)?.code == .tooManyGuesses
        }
        try wrongTokens.check("192.0.2.1", at: start + .seconds(60))
    }

    @Test func fewRefusedConnectionsAreOpenAtATime() {
        var configuration = ServerConfiguration()
        configuration.limits.maxConnections = 32
        let core = ServerComponents(configuration: configuration, engine: StubEngine(), logger: .silent)
        func isRefused(_ number: Int) -> Bool { (try? core.refusedLimiter.admit("192.0.2.\(number)")) != nil }
        // Eight in all, two of one address.
        #expect((0..<3).map { _ in isRefused(1) } == [true, true, false])
        #expect((2..<9).map(isRefused) == [true, true, true, true, true, true, false])
        core.refusedLimiter.release("192.0.2.1")
        #expect(isRefused(1))
        #expect(!isRefused(9))
    }

    @Test func wrongTokensExpireAfterAMinute() throws {
        let wrongTokens = WrongTokenCounter(limit: 10)
        let start = ContinuousClock.now
        for number in 0..<10 { wrongTokens.add("\(number)", from: "192.0.2.1", at: start) }
        #expect {
            try wrongTokens.check("192.0.2.1", at: start + .seconds(59))
        } throws: {
            ($0 as? WireError)?.code == .tooManyGuesses
        }
        try wrongTokens.check("192.0.2.2", at: start)
        try wrongTokens.check("192.0.2.1", at: start + .seconds(60))
    }

    @Test func aFloodOfWrongTokensTakesNoMoreMemory() throws {
        let wrongTokens = WrongTokenCounter(limit: 10)
        let start = ContinuousClock.now
        for number in 0..<10_000 { wrongTokens.add("guess", from: "\(number)", at: start) }
        for number in 0..<10 { wrongTokens.add("\(number)", from: "192.0.2.1", at: start) }
        #expect {
            try wrongTokens.check("192.0.2.1", at: start)
        } throws: {
            ($0 as? WireError)?.code == .tooManyGuesses
        }
    }

    @Test func aNetworkOfIPv6IsOneAddress() throws {
        let keys = try ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1", "::ffff:192.0.2.7", "192.0.2.7"].map {
            try SocketAddress(ipAddress: $0, port: 1).limitKey
        }
        #expect(keys[0] == keys[1] && keys[0] != keys[2])
        #expect(keys[3] == "192.0.2.7" && keys[4] == "192.0.2.7")
    }

    @Test func noSecretIsPrinted() {
        let token = AccessToken("s3cret", name: "gate")
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped, "\([token])"] {
            #expect(!text.contains("s3cret") && !text.contains("115"))
        }
    }

    @Test func tokensAreReplacedWhileTheServerRuns() async throws {
        try await TestServer.run({
            $0.tokens = [AccessToken("old", name: "old"), AccessToken("kept", name: "kept")]
            $0.limits.wrongTokenDelay = .zero
        }) { server in
            let old = try await TestClient.connect(port: server.port)
            #expect(try await self.firstAnswer(old, "old") == "configured 1")
            let kept = try await TestClient.connect(port: server.port)
            #expect(try await self.firstAnswer(kept, "kept") == "configured 1")
            server.replace(tokens: [AccessToken("new", name: "new"), AccessToken("kept", name: "kept")])
            #expect(try await old.remainingLines().map(\.summary) == ["auth_failed -"])
            try await kept.send(.gray(1))
            #expect(try await kept.nextLine()?.summary == "1: 1")
            for (token, answer) in [("new", "configured 1"), ("old", "auth_failed 1")] {
                let client = try await TestClient.connect(port: server.port)
                #expect(try await self.firstAnswer(client, token) == answer)
                try await client.close()
            }
            try await old.close()
            try await kept.close()
        }
    }
}
