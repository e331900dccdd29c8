import Testing

@testable import HTTPRequests

@Suite struct HTTPAddressTests {
    @Test func addressesOfHTTPAreParsed() throws {
        for url in ["http://localhost/", "https://example.org:8443/a?b=c", "HTTP://10.0.0.1", "http://[::1]:65535"] {
            #expect(try HTTPAddress(url) != nil, "\(url)")
        }
        for text in ["", "example.org", "example.org/texts", "ftp://example.org", "a.jpg"] {
            #expect(try HTTPAddress(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        "https://", "http://a b/", "http://host:port/", "http://127.0.0.1:99999/x", "http://camera:65536",
        "https://camera:0/", "http://camera:99999999999999999999/",
    ])
    func addressesThatCannotBeRequestedAreErrors(url: String) {
        #expect(throws: HTTPRequestError.self) { try HTTPAddress(url) }
    }

    @Test func aPortThatIsNoneIsNamed() {
        let error = HTTPRequestError(.badAddress, "the port cannot be 99999, only 1 to 65535")
        #expect(throws: error) { try HTTPAddress("http://127.0.0.1:99999/x") }
    }

    @Test func addressesAreShownWithoutNameAndPassword() throws {
        #expect(HTTPAddress.withoutCredentials("http://me:secret@cam:99999/@me") == "http://cam:99999/@me")
        #expect(HTTPAddress.withoutCredentials("http://cam/@me") == "http://cam/@me")
        #expect(try HTTPAddress("http://me:secret@cam/1?x=2")?.url == "http://cam/1?x=2")
    }

    @Test func passwordsAreNotSentInTheClearAfterTLS() throws {
        let address = try #require(try HTTPAddress("https://me:secret@Camera:8443/a"))
        let targets = ["/b", "https://camera/b", "http://camera/b", "https://other/b"]
        let redirects = try targets.compactMap { try address.redirected(to: $0) }
        #expect(redirects.map { address.sharesCredentials(with: $0) } == [true, true, false, false])
        #expect(try address.redirected(to: "/b")?.url == "https://Camera:8443/b")
        #expect(try address.redirected(to: "rtsp://camera/b") == nil)
    }
}
