import Testing
import TextModel

@Suite struct AllowedCharactersTests {
    @Test(arguments: [
        ("0-9.", "3.14", "3,14"), ("A-Z0-9-", "AB-12", "ab"), ("-+", "-+", "0"), ("A\\-Z", "A-Z", "B"),
        ("\\\\", "\\", "/"),
        ("一-龥", "街", "a"), ("a-c-e", "b-e", "d"), ("+--", "+,-", "0"),
    ])
    func listsOfCharactersAndRanges(list: String, allowed: String, other: String) throws {
        let characters = try #require(AllowedCharacters(list))
        #expect(characters.contains(allowed))
        #expect(!characters.contains(other))
        #expect(characters.source == list)
    }

    @Test(arguments: ["", "9-0", "abc\\", String(repeating: "x", count: 257)])
    func faultyLists(list: String) {
        #expect(AllowedCharacters(list) == nil)
    }
}
