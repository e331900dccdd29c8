import Testing
import TextSearch

@Suite struct TextPatternTests {
    /// Matches of `pattern` in `text`, separated by bars.
    private static func found(_ pattern: String, in text: String, stepLimit: Int = 1_000_000) throws -> String {
        var search = PatternSearch(stepLimit: stepLimit)
        let scalars = Array(text.unicodeScalars)
        var searched = SearchedText(scalars)
        return search.matches(of: try TextPattern(pattern), in: &searched).map { range in
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
        ("/(?:a(?:b|c)){2}/", "abac", "abac"), ("/a||b/", "ab", "a|b"), ("/(a*)*b/", "aaab", "aaab"),
        ("/(|a)+b/", "aab", "aab"), ("/(){100}a/", "a", "a"), ("/a.c/", "abc a.c", "abc|a.c"), ("/ä/i", "Ä", "Ä"),
        ("/[а-я]+/i", "МИР", "МИР"), ("/a\\/b/", "a/b", "a/b"), ("/a/b/", "a/b", "a/b"), ("/}]/", "}]", "}]"),
        ("/a.*c|b/", "abab", "b|b"), ("/i/", "hi i", "i|i"), ("/x*|foo/", "foo bar", "foo"),
        ("/(?:a|b)*?/", "ab", "a|b"), ("/\\b|o/", "foo", "o|o"), ("/[A-z]+/i", "a_Z1", "a_Z"),
    ])
    func regularExpressionsMatch(pattern: String, text: String, expected: String) throws {
        #expect(try Self.found(pattern, in: text) == expected)
    }

    @Test(arguments: [
        ("हिन", "हिन्दी", ""), ("दी", "हिन्दी", ""), ("हिन्दी", "हिन्दी में", "हिन्दी"),
        ("/\\w+/", "हिन्दी विद्यालय स्टेशन", "हिन्दी|विद्यालय|स्टेशन"),
        ("/\\bहिन\\b/", "हिन्दी", ""), ("/हिन/", "हिन्दी", "हिन्दी"),
        ("/दी$/", "हिन्दी", "न्दी"), ("/./", "हिन्दी", "हि|न्दी"), ("/^.{2}$/", "हिन्दी", "हिन्दी"),
        ("/[^द]/", "हिन्दी", "हि|न्दी"),
        ("/[\u{900}-\u{97F}]+/", "हिन्दी 7", "हिन्दी"), ("/क[\u{93E}\u{93F}\u{940}]/", "कि की कू", "कि|की"),
        ("/\u{93E}/", "का", "का"), ("/ल\u{921}\u{93C}?का/", "ल\u{95C}का लका", "ल\u{95C}का|लका"),
        ("/[\u{95C}\u{95D}]/", "ल\u{921}\u{93C}का", "\u{921}\u{93C}"), ("/[^\u{95C}]+/", "ल\u{921}\u{93C}का", "ल|का"),
        ("خواهم", "می\u{200C}خواهم", ""), ("میخواهم", "می\u{200C}خواهم", "می\u{200C}خواهم"),
        ("/\\w+/", "می\u{200C}خواهم رفت", "می\u{200C}خواهم|رفت"), ("น", "น้ำ", ""), ("น้ำ", "น้ำดื่ม", "น้ำ"),
        ("/\\W/", "a❤\u{FE0F}b", "❤\u{FE0F}"), ("/\\w+/", "a\u{1F469}\u{200D}\u{1F4BB}b", "a|b"),
        ("/\\D/", "5\u{332}a", "a"),
        ("/x\u{302}+/", "x\u{302}x\u{302}", "x\u{302}x\u{302}"), ("/[x\u{302}]/", "xx\u{302}", "x\u{302}"),
    ])
    func aLetterIsOneWithItsMarks(pattern: String, text: String, expected: String) throws {
        #expect(try Self.found(pattern, in: text) == expected)
    }

    @Test(arguments: [
        ("caf\u{E9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{E9}"), ("/^cafe\u{301}$/", "caf\u{E9}"),
        ("/^caf[\u{E8}-\u{EA}]$/", "cafe\u{301}"), ("/^caf[e\u{301}]$/", "caf\u{E9}"), ("/^caf.$/", "cafe\u{301}"),
        ("/^[^e]+$/", "cafe\u{301}"), ("/^CAFE\u{301}$/i", "caf\u{E9}"), ("Zu\u{308}rich", "Z\u{DC}RICH"),
        ("각", "\u{1100}\u{1161}\u{11A8}"), ("/^[가-힣]$/", "\u{1100}\u{1161}\u{11A8}"), ("k", "\u{212A}"),
        ("5 \u{B5}m", "5 \u{3BC}m"), ("/^\\d \u{B5}m$/", "5 \u{3BC}m"), ("/^\\d [\u{B5}n]m$/", "5 \u{3BC}m"),
        ("/^Å$/", "\u{212B}"),
        ("GROSSE", "große"), ("große", "GROSSE"), ("gro\u{1E9E}e", "große"), ("/^große$/i", "GROSSE"),
        ("/^grosse$/i", "GRO\u{1E9E}E"),
        ("/^.{5}$/i", "große"), ("/^\\w{5}$/i", "große"), ("/^gro[ß]e$/i", "große"), ("/^gro[a-z]+$/i", "große"),
        ("istanbul", "\u{130}STANBUL"), ("\u{130}stanbul", "istanbul"), ("ısparta", "ISPARTA"),
        ("/^[i]stanbul$/i", "\u{130}STANBUL"),
        ("ΣΊΣΥΦΟΣ", "Σίσυφος"), ("/^Σίσυφο[ς]$/i", "ΣΊΣΥΦΟΣ"), ("/^Σίσυφος$/i", "ΣΊΣΥΦΟΣ"), ("office", "oﬃce"),
        ("CO2", "CO₂"), ("co₂", "CO2"), ("21 ℃", "21 °C"), ("IV", "Ⅳ"), ("12", "１２"), ("/^\\d[０-９]$/", "１２"),
        ("ガス", "ｶﾞｽ"), ("/^ｶﾞｽ$/", "ガス"), ("/^\\(（.）\\)$/", "(（株）)"), ("/^12\u{A0}€$/", "12 €"), ("12\u{202F}€", "12 €"),
        ("/^[^\u{B5}]$/", "n"), ("/^[^ß]$/i", "s"),
    ])
    func textThatIsWrittenDifferentlyIsTheSame(pattern: String, text: String) throws {
        let found = try Self.found(pattern, in: text)
        #expect(Array(found.unicodeScalars) == Array(text.unicodeScalars), "\(pattern)")
    }

    @Test(arguments: [
        ("/cafe/", "cafe\u{301}"), ("/große/", "GROSSE"), ("/^[^\u{B5}]m/", "\u{3BC}m"), ("/[^ß]/i", "ß"), ("/s/", "ß"),
        ("/^\\d+$/", "5²"), ("/[^é]/i", "E\u{301}"), ("/[^ς]/i", "Σ"), ("office", "oﬃ ce"), ("ce", "oﬃce"),
    ])
    func textThatIsDifferentIsNotFound(pattern: String, text: String) throws {
        #expect(try Self.found(pattern, in: text) == "")
    }

    @Test func aFootnoteMarkIsNoPartOfAWord() throws {
        #expect(try Self.found("19", in: "19¹ 191") == "19")
        #expect(try Self.found("foo", in: "Foo™") == "Foo")
    }

    @Test(arguments: [
        ("", "nothing"), ("  ", "nothing"), ("/(/", "does not close"), ("/a)/", "does not open"),
        ("/[a/", "does not close"), ("/[z-a]/", "wrong order"), ("/[a-\\d]/", "no single characters"),
        ("/*a/", "nothing that \"*\""), ("/a**/", "repeats a repetition"), ("/a{2}{3}/", "repeats a repetition"),
        ("/a++/", "repeats a repetition"), ("/^*/", "repeats a place"), ("/\\b+/", "repeats a place"),
        ("/a{/", "{2,5}"), ("/a{,3}/", "{2,5}"), ("/a{3,2}/", "{2,5}"), ("/a{101}/", "up to 100"),
        ("/a{99999999999999999999999}/", "up to 100"), ("/(?=a)/", "look-around"), ("/(?<n>a)/", "names"),
        ("/(?i)a/", "/…/i"), ("/[क़-ढ़]/", "no single characters"), ("\u{200D}", "nothing"),
        ("/(a)\\1/", "no \"\\1\""), ("/\\p/", "no \"\\p\""),
        ("/[[:alpha:]]/", "no \"[:…:]\""), ("/a\\/", "ends with a backslash"),
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
            var text = SearchedText(String(repeating: pattern.contains("x") ? "x" : "a", count: count).unicodeScalars)
            let found = search.matches(of: try TextPattern(pattern), in: &text)
            #expect(found.isEmpty)
            return .max - search.stepsLeft
        }
        let (short, long) = (try steps(150), try steps(300))
        #expect(long < 3 * short)
        #expect(long < 300 * 1000)
    }

    @Test func aSearchEndsWhereItsStepsDo() throws {
        var search = PatternSearch(stepLimit: 500)
        var text = SearchedText(String(repeating: "a", count: 1000).unicodeScalars)
        let found = search.matches(of: try TextPattern("/a/"), in: &text)
        #expect(search.stepsLeft == 0)
        #expect(!found.isEmpty && found.count < 1000)
        let further = search.matches(of: try TextPattern("/a/"), in: &text)
        #expect(further.isEmpty)
    }

    @Test func aSearchForOnePatternLeavesNothingToTheNext() throws {
        var search = PatternSearch(stepLimit: .max)
        var text = SearchedText("foo bar foo 42".unicodeScalars)
        let patterns = try ["/fo+/", "/(?:b|ba|bar){1,9}|x{50}/", "/o/", "/x*|\\d+/", "foo"].map { try TextPattern($0) }
        for pattern in patterns + patterns.reversed() {
            var other = PatternSearch(stepLimit: .max)
            let (found, expected) = (search.matches(of: pattern, in: &text), other.matches(of: pattern, in: &text))
            #expect(found == expected, "\(pattern)")
        }
    }

    @Test func patternsAreTheSameThatAreWrittenTheSame() throws {
        #expect(try TextPattern("/a+/") == TextPattern("/a+/"))
        #expect(try TextPattern("a") != TextPattern("/a/"))
        #expect(try Set([TextPattern("a"), TextPattern("a"), TextPattern("b")]).count == 2)
        #expect("\(try TextPattern("/a+/"))" == "/a+/")
    }
}
