import TextModel
import Testing

@Suite struct ScriptTests {
    @Test(arguments: [
        ("EXIT 42", "Latn"), ("Übergang", "Latn"), ("Łódź", "Latn"), ("ﬁn", "Latn"), ("ＡＢ", "Latn"), ("42 – 7 %", nil),
        ("", nil), ("出口", "Hani"), ("出口 EXIT", "Latn"), ("东北大街 A", "Hani"), ("北海道の", "Jpan"), ("カメラ", "Jpan"),
        ("ｶﾒﾗ", "Jpan"), ("Москва", "Cyrl"), ("Αθήνα", "Grek"), ("서울", "Hang"), ("ירושלים", "Hebr"),
        ("القاهرة", "Arab"),
        ("กรุงเทพ", "Thai"), ("तिथि", "Deva"), ("ㄅㄆ", "Bopo"), ("×÷", nil), ("10 km", "Latn"), ("東京 B1", "Hani"),
        ("。、・", nil), ("AБ", "Latn"), ("αβ AБВ", "Grek"),
    ])
    func theScriptIsThatOfMostLetters(text: String, script: String?) {
        #expect(Script.most(of: text)?.rawValue == script, "\(text)")
    }
}
