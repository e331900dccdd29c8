import GlyphwireProtocol
import Testing

@testable import TextEngine

@Suite struct FullWidthTests {
    @Test func formsOfASCIIAreToldAsASCII() {
        #expect("TEL： （０３）～！".narrowed(in: .latin) == "TEL: (03)~!")
        #expect("：".narrowed(in: nil) == ":")
        #expect("ＡＢＣ".narrowed(in: .cyrillic) == "ABC")
    }

    @Test(arguments: [Script.han, .japanese, .hangul, .bopomofo])
    func theyStayBesideScriptsTheyBelongTo(script: Script) {
        #expect("电话：（０３）".narrowed(in: script) == "电话：（０３）")
    }

    @Test func whatElseIsWideStays() {
        let text = "a。、「b」\u{FF5F}\u{FF00}é…"
        #expect(text.narrowed(in: .latin) == text)
    }
}
