import GlyphwireHTTP
import GlyphwireServer
import TestSupport
import Testing

/// Pages of other origins, with the headers that browsers send.
@Suite(.timeLimit(.minutes(3))) struct CrossOriginTests {
    private static let path = "/v1/images:annotate"
    private static let page = "https://app.example"

    private static func preflight(_ path: String, origin: String, headers: [String] = []) -> [String] {
        [
            "OPTIONS \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Origin: \(origin)",
            "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type,x-goog-api-key",
        ] + headers
    }

    @Test func anAllowedPageAsksAndSeesTheAnswer() async throws {
        let origins = try #require(AllowedOrigins("https://app.example:443/, http://localhost:3000,null"))
        try await TestHTTPServer.run(allowedOrigins: origins) { server async throws in
            for origin in [Self.page, "http://localhost:3000", "null"] {
                let preflight = try await server.exchange(Self.preflight(Self.path, origin: origin))
                #expect(preflight.status == 204 && preflight.body == "")
                #expect(preflight.headers["access-control-allow-origin"] == origin)
                #expect(preflight.headers["access-control-allow-methods"]?.contains("POST") == true)
                #expect(preflight.headers["access-control-allow-headers"] == "content-type,x-goog-api-key")
                #expect(preflight.headers["access-control-max-age"] == "7200")
                #expect(preflight.headers["vary"] == "Origin")
                #expect(preflight.headers["access-control-allow-private-network"] == nil)
                for (path, body, status) in [(Self.path, "{}", 200), (Self.path, "{", 400), ("/nowhere", "", 404)] {
                    let answer = try await server.post(path, body: body, headers: ["Origin: \(origin)"])
                    #expect(answer.status == status)
                    #expect(answer.headers["access-control-allow-origin"] == origin)
                    #expect(answer.headers["vary"] == "Origin")
                }
                let streams = try await server.get("/streams", headers: ["Origin: \(origin)"])
                #expect(streams.headers["access-control-allow-origin"] == origin)
            }
        }
    }

    @Test func otherPagesAndProgramsGetNoSuchWord() async throws {
        let origins = try #require(AllowedOrigins(Self.page))
        try await TestHTTPServer.run(allowedOrigins: origins) { server async throws in
            for origin in ["https://app.example.org", "http://app.example", "https://app.example:8443", "null"] {
                let preflight = try await server.exchange(Self.preflight(Self.path, origin: origin))
                #expect(preflight.status == 403)
                #expect(preflight.headers["access-control-allow-origin"] == nil)
                let answer = try await server.post(Self.path, body: "{}", headers: ["Origin: \(origin)"])
                #expect(answer.status == 403 && answer.headers["access-control-allow-origin"] == nil)
                #expect(answer.headers["vary"] == "Origin")
            }
            let program = try await server.post(Self.path, body: "{}")
            #expect(program.status == 200 && program.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func aPreflightNeedsNoTokenAndARefusalIsSeen() async throws {
        let origins = try #require(AllowedOrigins(Self.page))
        try await TestHTTPServer.run(token: AccessToken("s3cret"), allowedOrigins: origins) { server async throws in
            let network = ["Access-Control-Request-Private-Network: true"]
            let lines = Self.preflight(Self.path, origin: Self.page, headers: network)
            let preflight = try await server.exchange(lines)
            #expect(preflight.status == 204)
            #expect(preflight.headers["access-control-allow-private-network"] == "true")
            let origin = "Origin: \(Self.page)"
            let refused = try await server.post(Self.path, body: "{}", headers: [origin])
            #expect(refused.status == 401 && refused.headers["access-control-allow-origin"] == Self.page)
            let answer = try await server.post(Self.path, body: "{}", headers: [origin, "X-Goog-Api-Key: s3cret"])
            #expect(answer.status == 200)
        }
    }

    @Test func allOriginsMayHavePicturesReadAndWatchNothing() async throws {
        let origins = try #require(AllowedOrigins("*"))
        try await TestHTTPServer.run(allowedOrigins: origins) { server async throws in
            let preflight = try await server.exchange(Self.preflight("/v1p4beta1/images%3Aannotate", origin: Self.page))
            #expect(preflight.status == 204 && preflight.headers["access-control-allow-origin"] == "*")
            for body in ["{}", "{"] {
                let answer = try await server.post(Self.path, body: body, headers: ["Origin: \(Self.page)"])
                #expect(answer.headers["access-control-allow-origin"] == "*")
            }
            // The error of a mistaken path is seen as well.
            for (path, status) in [("/v1/read", 400), ("/v1/nowhere", 404), ("//v1/files:annotate", 404)] {
                let answer = try await server.post(path, body: "", headers: ["Origin: \(Self.page)"])
                #expect(answer.status == status && answer.headers["access-control-allow-origin"] == "*", "\(path)")
            }
            for path in ["/", "/streams", "/metrics", "/healthz"] {
                let answer = try await server.get(path, headers: ["Origin: \(Self.page)"])
                #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == nil, "\(path)")
                #expect(try await server.exchange(Self.preflight(path, origin: Self.page)).status == 405)
            }
        }
    }

    @Test func withoutTheOptionNoPageOfAnotherOriginSeesAnything() async throws {
        try await TestHTTPServer.run { server async throws in
            #expect(try await server.exchange(Self.preflight(Self.path, origin: Self.page)).status == 405)
            let answer = try await server.post(Self.path, body: "{}", headers: ["Origin: \(Self.page)"])
            #expect(answer.status == 403 && answer.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func withoutATokenPagesOfOtherOriginsHaveNothingRead() async throws {
        try await TestHTTPServer.run { server async throws in
            let own = "Origin: http://127.0.0.1:\(server.httpPort)"
            let others = [
                ["Origin: \(Self.page)"], ["Origin: null"], ["Sec-Fetch-Site: cross-site"],
                [own, "Sec-Fetch-Site: same-site"],
            ]
            for headers in others {
                for path in [Self.path, "/v1/read?stream=door&client=gate"] {
                    let headers = headers + ["Content-Type: text/plain"]
                    #expect(try await server.post(path, body: "{}", headers: headers).status == 403, "\(headers)")
                }
            }
            let streams = try await server.get("/streams")
            #expect(!streams.body.contains("gate"))
            // Programs, the server's own pages, and those behind a proxy with another name.
            let proxied = ["Origin: https://ocr.example", "Sec-Fetch-Site: same-origin"]
            for headers in [[], [own], [own, "Sec-Fetch-Site: same-origin"], ["Sec-Fetch-Site: none"], proxied] {
                #expect(try await server.post(Self.path, body: "{}", headers: headers).status == 200, "\(headers)")
            }
            // A link of another page to the live page.
            #expect(try await server.get("/", headers: ["Sec-Fetch-Site: cross-site"]).status == 200)
        }
    }

    @Test func aPageThatShowsTheTokenHasPicturesRead() async throws {
        try await TestHTTPServer.run(token: AccessToken("s3cret")) { server async throws in
            let headers = ["Origin: \(Self.page)", "Sec-Fetch-Site: cross-site", "X-Goog-Api-Key: s3cret"]
            #expect(try await server.post(Self.path, body: "{}", headers: headers).status == 200)
        }
    }

    @Test(arguments: [
        "", ",", "app.example", "https://", "https://app.example/page", "https://a b", "https://*.example",
        "*,https://a",
        "https://a?b", "https://user@a", "://a",
    ])
    func whatIsNoOriginIsRefused(text: String) {
        #expect(AllowedOrigins(text) == nil)
    }
}
