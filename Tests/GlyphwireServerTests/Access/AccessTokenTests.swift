import Testing

@testable import GlyphwireServer

@Suite struct AccessTokenTests {
    @Test func onlyTheSecretItselfMatches() {
        let token = AccessToken("s3cret-ä")
        #expect(token.matches("s3cret-ä"))
        for guess in ["", "s", "s3cret-", "s3cret-ä ", "S3cret-ä", "s3cret-ö", "\u{0}3cret-ä"] {
            #expect(!token.matches(guess), "\(guess)")
        }
    }

    @Test func theSecretStaysOutOfWhatIsPrinted() {
        let token = AccessToken("s3cret")
        #expect(!"\(token)".contains("s3cret"))
        #expect(!String(reflecting: token).contains("s3cret"))
        #expect(!"\(Optional(token) as Any)".contains("s3cret"))
    }
}
