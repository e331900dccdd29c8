import FoundationEssentials
import Testing

@testable import CommandInput

@Suite struct TokenFileTests {
    private static func tokens(in text: String) throws -> [TokenFile.Token] {
        let file = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        return try TokenFile(file.path, for: .server).tokens
    }

    @Test func aLineIsAToken() throws {
        #expect(try Self.tokens(in: " s3cret \n") == [TokenFile.Token(secret: "s3cret")])
    }

    @Test func severalTokensHaveNamesAndMayHaveAnEndAndALimit() throws {
        let gate = #"{"name":"gate","token":"one","expires":"1970-01-02T00:00:00Z","connections":4}"#
        let tokens = try Self.tokens(in: #"{"tokens":[\#(gate),{"token":"two","name":"yard"}]}"#)
        #expect(tokens[0] == TokenFile.Token(name: "gate", secret: "one", expirySeconds: 86_400, maxConnections: 4))
        #expect(tokens[1...] == [TokenFile.Token(name: "yard", secret: "two")])
    }

    @Test(arguments: [
        (#"{"tokens":[]}"#, "begins like JSON"), (#"{"tokens":[{"name":"a","token":"b"}],"x":1}"#, "at byte"),
        (#"{"tokens":[{"name":"a","token":"b"}],"tokens":[]}"#, "once"),
        (#"{"tokens":[{"name":"a","token":"b","token":"c"}]}"#, #"token 1 has "token" twice"#),
        (#"{"tokens":[{"name":"a","token":"b"},{"name":"a","token":"c"}]}"#, "two tokens with the name a"),
        (#"{"tokens":[{"name":"a"}]}"#, #"needs a "name" and a "token""#),
        (#"{"tokens":[{"name":"a","token":"b","connections":true}]}"#, "a whole number above 0"),
        (#"{"tokens":[{"name":"a","token":"b","expires":7}]}"#, "is not a time"),
        (#"{"tokens":[{"name":"a","token":"b","color":"red"}]}"#, #"a member "color""#),
        ("one\ntwo", "several lines"), ("\n", "is empty"), (String(repeating: "a", count: 4097), "1 to 4096 bytes"),
    ])
    func aMistakeIsNamed(text: String, hint: String) {
        let error = #expect(throws: InputError.self) { try Self.tokens(in: text) }
        #expect(error?.description.contains(hint) == true, "\(String(describing: error))")
    }

    @Test func aServersMissingFileComesWithTheCommandThatMakesIt() {
        let message =
            "The token file /nowhere/a token does not exist; make one with: "
            + "(umask 077; openssl rand -hex 16 > '/nowhere/a token')"
        #expect(throws: InputError(message)) { try TokenFile("/nowhere/a token", for: .server) }
    }

    @Test func aClientsFileNeedsTheTokenOfTheServer() {
        let missing = "The token file /nowhere/token does not exist; write the server's token into it."
        #expect(throws: InputError(missing)) { try TokenFile("/nowhere/token", for: .client) }
        let empty = "The token file /dev/null is empty: write the server's token into it, or omit --token-file."
        #expect(throws: InputError(empty)) { try TokenFile("/dev/null", for: .client) }
    }
}
