import Testing

@testable import HTTPRequests

@Suite struct HTTPAuthenticationTests {
    /// The example of RFC 7616, section 3.9.1.
    static let header = #"""
        Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=%, \#
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """#

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func theExamplesOfTheSpecification(algorithm: String, response: String) throws {
        let header = Self.header.replacing("%", with: algorithm)
        let challenge = try #require(AuthenticationChallenge.all(in: header).compactMap(DigestChallenge.init).first)
        let authorization = challenge.authorization(
            HTTPAuthentication.Credentials(user: "Mufasa", password: "Circle of Life"),
            method: "GET",
            uri: "/dir/index.html",
            count: 1,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        #expect(authorization.contains(#"response="\#(response)""#))
        #expect(authorization.contains("algorithm=\(algorithm), opaque=\"FQhe"))
        #expect(authorization.contains("qop=auth, nc=00000001, cnonce=\"f2/wE"))
    }

    @Test func challengesShareAHeader() {
        let challenges = AuthenticationChallenge.all(
            in: #"Basic realm="a, \"b\"" , Digest realm=c, algorithm=SHA-256,nonce="d=",Negotiate"#
        )
        #expect(
            challenges == [
                AuthenticationChallenge(scheme: "basic", parameters: ["realm": #"a, "b""#]),
                AuthenticationChallenge(
                    scheme: "digest",
                    parameters: ["realm": "c", "algorithm": "SHA-256", "nonce": "d="]
                ),
                AuthenticationChallenge(scheme: "negotiate"),
            ]
        )
    }

    /// Answers to challenges, each with whether it is another attempt: the header, or `nil` where no attempt may succeed.
    private static func answers(to challenges: [(headers: [String], isRetry: Bool)]) -> [String?] {
        var authentication = HTTPAuthentication(HTTPAuthentication.Credentials(user: "me", password: "secret"))
        return challenges.map { headers, isRetry in
            let isHopeful = authentication.challenged(by: headers, isRetry: isRetry)
            return isHopeful ? authentication.authorization(method: "GET", uri: "/") : nil
        }
    }

    @Test func thePasswordIsSentOnlyIfAskedForAndNotBesideDigest() {
        var unasked = HTTPAuthentication(HTTPAuthentication.Credentials(user: "me", password: "secret"))
        let first = unasked.authorization(method: "GET", uri: "/")
        #expect(first == nil)
        let digest = #"Digest realm="a", nonce="1""#
        let both = ["Basic realm=a", digest + ", algorithm=SHA-512-256", digest]
        let answers = Self.answers(to: [
            (both, false), (both, true), ([digest + ", stale=true"], true), (["Basic realm=a"], false),
        ])
        #expect(answers.map { $0?.prefix(6) } == ["Digest", nil, "Digest", "Basic "])
        #expect(answers[3] == "Basic bWU6c2VjcmV0")
    }

    @Test func theMethodIsPartOfTheAnswer() {
        var authentication = HTTPAuthentication(HTTPAuthentication.Credentials(user: "me", password: "secret"))
        _ = authentication.challenged(by: [#"Digest realm="a", nonce="1""#], isRetry: false)
        let answers = ["GET", "POST", "GET"].map { authentication.authorization(method: $0, uri: "/") }
        #expect(answers[0] == answers[2] && answers[0] != answers[1])
    }

    @Test func requestsWithOneNonceAreCounted() {
        var authentication = HTTPAuthentication(HTTPAuthentication.Credentials(user: "me", password: "secret"))
        _ = authentication.challenged(by: [#"Digest realm="a", nonce="1", qop="auth""#], isRetry: false)
        let requests = (0..<11).map { _ in authentication.authorization(method: "GET", uri: "/") ?? "" }
        #expect(requests[0].contains("nc=00000001,") && requests[10].contains("nc=0000000b,"))
    }
}
