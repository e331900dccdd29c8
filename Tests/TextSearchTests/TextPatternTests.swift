import Testing
import TextSearch

@Suite struct TextPatternTests {
    /// Matches of `pattern` in `text`, separated by bars.
    private static func found(_ pattern: String, in text: String, stepLimit: Int = 1_000_000) throws -> String {
        var search = PatternSearch(stepLimit: stepLimit)
        let scalars = Array(text.unicodeScalars)
        return search.matches(of: try TextPattern(pattern), in: SearchedText(scalars)).map { range in
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range])
            return String(view)
        }.joined(separator: "|")
    }

    private static func reason(_ pattern: String) -> String? {
        do throws(PatternError) {
            _ = try TextPattern(pattern)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: [
        ("EXIT", "EXIT 42", "EXIT"), ("exit", "No EXIT here", "EXIT"), ("EXIT", "EXITS REEXIT", ""),
        ("EXIT 42", "the EXIT 42.", "EXIT 42"), (" EXIT \t 42 ", "EXIT 42", "EXIT 42"), ("42", "A42 421 42", "42"),
        ("#12", "A#12", "#12"), ("grün", "GRÜN", "GRÜN"), ("straße", "Straße", "Straße"), ("出口", "请从出口离开", "出口"),
        ("/", "1/2", "/"), ("//", "a // b", "//"), ("a.c", "abc a.c", "a.c"), ("привет", "Привет, мир", "Привет"),
        ("a", "A a", "A|a"),
    ])
    func aTextIsFoundAsAWordOfItsOwn(pattern: String, text: String, expected: String) throws {
        #expect(try Self.found(pattern, in: text) == expected)
    }

    @Test(arguments: [
        ("/[A-Z]{2} ?\\d+/", "AB 123 C4 DE5", "AB 123|DE5"), ("/exit/", "EXIT exits", "exit"),
        ("/exit/i", "EXIT", "EXIT"),
        ("/a|ab/", "ab", "a"), ("/ab|a/", "ab", "ab"), ("/a+/", "aaa baa", "aaa|aa"), ("/a+?/", "aaa", "a|a|a"),
        ("/a*/", "baac", "aa"), ("/x*/", "abc", ""), ("/(ab)+c?/", "ababc ab", "ababc|ab"),
        ("/a{2}/", "aaaaa", "aa|aa"),
        ("/a{2,}/", "a aaaa", "aaaa"), ("/a{1,2}/", "aaa", "aa|a"), ("/a{0}b/", "aab", "b"), ("/^a/", "aa", "a"),
        ("/a$/", "aa", "a"), ("/^$/", "", ""), ("/\\bcat\\b/", "cat concat cat", "cat|cat"),
        ("/\\Bcat/", "cat concat", "cat"), ("/[^ ]+/", "one two", "one|two"), ("/[]]/", "a]b", "]"),
        ("/[^]]/", "]a", "a"), ("/[a-]+/", "-a-b", "-a-"), ("/[\\d-]+/", "12-3a", "12-3"), ("/\\./", "a.b", "."),
        ("/\\w+/", "née_1 x", "née_1|x"), ("/\\W/", "a b", " "), ("/\\S+\\s\\S+/", "a b c", "a b"),
        ("/\\D/", "1a", "a"),
        ("/(?:a(?:b|c)){2}/", "abac", "abac"), ("/a||b/", "ab", "a"), ("/(a*)*b/", "aaab", "aaab"),
        ("/(|a)+b/", "aab", "aab"), ("/(){100}a/", "a", "a"), ("/a.c/", "abc a.c", "abc|a.c"), ("/ä/i", "Ä", "Ä"),
        ("/[а-я]+/i", "МИР", "МИР"), ("/a\\/b/", "a/b", "a/b"), ("/a/b/", "a/b", "a/b"), ("/}]/", "}]", "}]"),
        ("/a.*c|b/", "abab", "b|b"), ("/i/", "hi i", "i|i"),
    ])
    func regularExpressionsMatch(pattern: String, text: String, expected: String) throws {
        #expect(try Self.found(pattern, in: text) == expected)
    }

    @Test(arguments: [
        ("", "nothing"), ("  ", "nothing"), ("/(/", "does not close"), ("/a)/", "does not open"),
        ("/[a/", "does not close"), ("/[z-a]/", "wrong order"), ("/[a-\\d]/", "no single characters"),
        ("/*a/", "nothing that \"*\""), ("/a**/", "repeats a repetition"), ("/a{2}{3}/", "repeats a repetition"),
        ("/a++/", "repeats a repetition"), ("/^*/", "repeats a place"), ("/\\b+/", "repeats a place"),
        ("/a{/", "{2,5}"), ("/a{,3}/", "{2,5}"), ("/a{3,2}/", "{2,5}"), ("/a{101}/", "up to 100"),
        ("/a{99999999999999999999999}/", "up to 100"), ("/(?=a)/", "look-around"), ("/(?<n>a)/", "look-around"),
        ("/(a)\\1/", "no \"\\1\""), ("/\\p/", "no \"\\p\""), ("/a\\/", "ends with a backslash"),
        ("/((a{100}){100}){100}/", "1000 steps"), ("/[a-z]{100}{2}/", "repetition"),
        ("/((((a?){99}){99}){99}){99}/", "1000"),
    ])
    func whatIsNoPatternIsNamedWithTheReason(pattern: String, reason: String) {
        let message = Self.reason(pattern)
        #expect(message?.contains(reason) == true, "\(message ?? "no error")")
    }

    @Test func aPatternHasItsLimit() throws {
        _ = try TextPattern(String(repeating: "x", count: 256))
        #expect(Self.reason(String(repeating: "x", count: 257))?.contains("256") == true)
        #expect(Self.reason("/" + String(repeating: "(", count: 254) + "/") != nil)
        _ = try TextPattern("/" + String(repeating: "(", count: 126) + String(repeating: ")", count: 126) + "a/")
    }

    /// Backtracking engines take 2^n steps for each of these.
    @Test(arguments: ["/(a+)+b/", "/(a|a)*b/", "/(a|aa)+$b/", "/(a?){50}a{50}b/", "/(.*)*=/", "/(x+x+)+y/"])
    func stepsGrowWithTheTextAndNotWithTheWaysThroughThePattern(pattern: String) throws {
        func steps(_ count: Int) throws -> Int {
            var search = PatternSearch(stepLimit: .max)
            let text = SearchedText(String(repeating: pattern.contains("x") ? "x" : "a", count: count).unicodeScalars)
            #expect(search.matches(of: try TextPattern(pattern), in: text).isEmpty)
            return .max - search.stepsLeft
        }
        let (short, long) = (try steps(150), try steps(300))
        #expect(long < 3 * short)
        #expect(long < 300 * 1000)
    }

    @Test func aSearchEndsWhereItsStepsDo() throws {
        var search = PatternSearch(stepLimit: 500)
        let text = SearchedText(String(repeating: "a", count: 1000).unicodeScalars)
        let found = search.matches(of: try TextPattern("/a/"), in: text)
        #expect(search.stepsLeft == 0)
        #expect(!found.isEmpty && found.count < 1000)
        #expect(search.matches(of: try TextPattern("/a/"), in: text).isEmpty)
    }

    @Test func patternsAreTheSameThatAreWrittenTheSame() throws {
        #expect(try TextPattern("/a+/") == TextPattern("/a+/"))
        #expect(try TextPattern("a") != TextPattern("/a/"))
        #expect(try Set([TextPattern("a"), TextPattern("a"), TextPattern("b")]).count == 2)
        #expect("\(try TextPattern("/a+/"))" == "/a+/")
    }
}
