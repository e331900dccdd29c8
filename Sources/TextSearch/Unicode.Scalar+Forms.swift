internal import TextModel

extension Unicode.Scalar {
    /// Usual form of each other scalar that has one (UnicodeData.txt: its compatibility decomposition).
    private static let usualForms: [Unicode.Scalar: Unicode.Scalar] = {
        let forms =
            "\u{B5}￠￡￥￦･ｦｧｨｩｪｫｬｭｮｯｰｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝ\u{FF9E}\u{FF9F}"
        let usual =
            "\u{3BC}¢£¥₩・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
        return Dictionary(uniqueKeysWithValues: zip(forms.unicodeScalars, usual.unicodeScalars))
    }()
    /// Compatible text of scalars that recognizers read or that keyboards write, from the same source.
    private static let compatibleForms: [Unicode.Scalar: String] = {
        let forms = """
            ⁰:0 ¹:1 ²:2 ³:3 ⁴:4 ⁵:5 ⁶:6 ⁷:7 ⁸:8 ⁹:9 ⁺:+ ⁻:− ⁼:= ⁽:( ⁾:) ⁿ:n ª:a º:o ™:TM
            ₀:0 ₁:1 ₂:2 ₃:3 ₄:4 ₅:5 ₆:6 ₇:7 ₈:8 ₉:9 ₊:+ ₋:− ₌:= ₍:( ₎:) ₒ:o
            ①:1 ②:2 ③:3 ④:4 ⑤:5 ⑥:6 ⑦:7 ⑧:8 ⑨:9 ⑩:10 ⑪:11 ⑫:12 ⑬:13 ⑭:14 ⑮:15 ⑯:16 ⑰:17 ⑱:18 ⑲:19 ⑳:20
            Ⅰ:I Ⅱ:II Ⅲ:III Ⅳ:IV Ⅴ:V Ⅵ:VI Ⅶ:VII Ⅷ:VIII Ⅸ:IX Ⅹ:X Ⅺ:XI Ⅻ:XII
            ⅰ:i ⅱ:ii ⅲ:iii ⅳ:iv ⅴ:v ⅵ:vi ⅶ:vii ⅷ:viii ⅸ:ix ⅹ:x ⅺ:xi ⅻ:xii
            Ĳ:IJ ĳ:ij Ǆ:DŽ ǅ:Dž ǆ:dž Ǉ:LJ ǈ:Lj ǉ:lj Ǌ:NJ ǋ:Nj ǌ:nj Ŀ:L· ŀ:l·
            №:No ℃:°C ℉:°F ℓ:l ℎ:h ℹ:i …:... ‥:.. ㈱:(株) ㎜:mm ㎝:cm ㎞:km ㎡:m2 ㎥:m3 ㎎:mg ㎏:kg ㏄:cc
            """
        let pairs = forms.split(whereSeparator: \.isWhitespace).map(\.unicodeScalars)
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[$0.startIndex], String($0.dropFirst(2))) })
    }()

    /// The scalar as which it is compared in every form: without regard to width, spaces as one, and µ as Greek.
    var usualForm: Unicode.Scalar {
        self.narrowed ?? Self.usualForms[self] ?? (self.properties.generalCategory == .spaceSeparator ? " " : self)
    }

    /// The text as which a plain text compares it.
    var compatibleForm: String { Self.compatibleForms[self] ?? String(self) }
}
