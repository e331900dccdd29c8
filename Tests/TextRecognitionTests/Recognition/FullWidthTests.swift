import Testing

@testable import TextRecognition

@Suite struct FullWidthTests {
    @Test func fullWidthFormsAreReportedAsASCII() {
        #expect("TEL： （０３）～！".narrowed == "TEL: (03)~!")
        #expect("：".narrowed == ":")
        #expect("ＡＢＣ Д".narrowed == "ABC Д")
    }

    @Test(arguments: ["电话：（０３）", "かな！", "カナ！", "한글：", "ㄅ：", "iPhone手机（白）"])
    func theyStayBesideScriptsTheyBelongTo(text: String) {
        #expect(text.narrowed == text)
    }

    @Test func whatElseIsWideStays() {
        let text = "a。、「b」\u{FF5F}\u{FF00}é…"
        #expect(text.narrowed == text)
    }
}
