import Testing

@testable import CommandInput

@Suite struct ShellTests {
    @Test(arguments: [
        ("/etc/glyphwire/token", "/etc/glyphwire/token"), ("scans-2/a_b.jpg", "scans-2/a_b.jpg"), ("", "''"),
        ("my files/token", "'my files/token'"), ("~/token", "'~/token'"), ("a;b$(c)", "'a;b$(c)'"),
        ("=ls", "'=ls'"), ("it's", #"'it'\''s'"#), ("Fährsteg.jpg", "'Fährsteg.jpg'"),
    ])
    func aStringIsOneWordOfAShell(text: String, word: String) { #expect(text.quotedForShell == word) }
}
