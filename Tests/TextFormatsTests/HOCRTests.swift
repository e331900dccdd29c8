import TextModel
import GlyphwireProtocol
import Testing
import TextFormats

/// hOCR, by the rules of its specification.
@Suite struct HOCRTests {
    /// The properties in an element's title.
    private func properties(_ element: Element) -> [String: String] {
        let parts = element.attributes["title", default: ""].split(separator: "; ").map {
            $0.split(separator: " ", maxSplits: 1)
        }
        return Dictionary(parts.map { (String($0[0]), String($0[1])) }) { first, _ in first }
    }

    private func box(_ element: Element) -> [Int] {
        self.properties(element)["bbox", default: ""].split(separator: " ").compactMap { Int($0) }
    }

    @Test func elementsAreNestedAndTheirBoxesToo() throws {
        let root = try Element.root(
            of: TextFormat.hocr.document([
                Sample.page(Sample.lines), Sample.page(Sample.lines, number: 2, name: "two.png"),
            ])
        )
        let levels = ["ocr_page", "ocr_carea", "ocr_par", "ocr_line", "ocrx_word"]
        for (outer, inner) in zip(levels, levels.dropFirst()) {
            let elements = root.all(class: inner)
            #expect(!elements.isEmpty)
            for element in elements {
                let parent = try #require(element.parent)
                #expect(parent.attributes["class"] == outer)
                let (box, around) = (self.box(element), self.box(parent))
                #expect(box.count == 4 && around.count == 4)
                #expect(box[0] >= around[0] && box[1] >= around[1] && box[2] <= around[2] && box[3] <= around[3])
            }
        }
        let identifiers = root.descendants.compactMap { $0.attributes["id"] }
        #expect(Set(identifiers).count == identifiers.count)
        let meta = Dictionary(
            root.all("meta").compactMap { each in each.attributes["name"].map { ($0, each.attributes["content"]) } }
        ) { first, _ in first }
        #expect(meta["ocr-system"] == "glyphwire 0.1.0")
        let classes = Set(root.descendants.compactMap { $0.attributes["class"] })
        #expect(
            classes.isSubset(of: Set((meta["ocr-capabilities"] ?? "")?.split(separator: " ").map(String.init) ?? []))
        )
    }

    @Test func aQuotationMarkInTheNameDoesNotEndIt() throws {
        let page = Sample.page(Sample.lines, name: "\"\u{301}a\".png")
        let root = try Element.root(of: TextFormat.hocr.document([page]))
        let title = try #require(root.all(class: "ocr_page").first?.attributes["title"])
        // A combining mark makes another character of a quotation mark, for Swift but not for readers of hOCR.
        let marks = title.unicodeScalars.prefix { $0 != ";" }.filter { $0 == "\"" }
        #expect(marks.count == 2)
        #expect(title.hasPrefix("image \"'\u{301}a'.png\"; bbox"))
    }

    @Test func aLineThatRunsLeftSaysSo() throws {
        let lines = [Sample.hebrewLine("אב ג", x: 500, y: 100), Sample.line("ab c", x: 100, y: 200)]
        let root = try Element.root(of: TextFormat.hocr.document([Sample.page(lines)]))
        let written = root.all(class: "ocr_line")
        #expect(written.map { $0.attributes["dir"] } == ["rtl", nil])
        #expect(written.map { self.properties($0)["textangle"] } == [nil, nil])
        #expect(written.map { self.properties($0)["baseline"] == nil } == [false, false])
        #expect(self.box(written[0]) == [420, 100, 500, 120])
    }

    @Test func pagesWordsAndCharactersHaveTheirProperties() throws {
        let root = try Element.root(of: TextFormat.hocr.document([Sample.page(Sample.lines, number: 3)]))
        let page = try #require(root.all(class: "ocr_page").first)
        #expect(page.attributes["title"] == "image \"page.png\"; bbox 0 0 1000 800; ppageno 2")
        let word = try #require(root.all(class: "ocrx_word").first)
        #expect(word.text == "Old" && word.attributes["title"] == "bbox 100 100 160 120; x_wconf 88")
        let character = try #require(word.children.first)
        #expect(character.attributes["class"] == "ocrx_cinfo" && character.text == "O")
        #expect(character.attributes["title"] == "x_bboxes 100 100 120 120; x_confs 90")
        #expect(
            root.all(class: "ocr_line").map { $0.text.split(whereSeparator: \.isWhitespace) }.first == ["Old", "Ferry"]
        )
    }

    @Test func linesHaveTheirSlopeAndRotation() throws {
        let root = try Element.root(
            of: TextFormat.hocr.document([
                Sample.page([
                    Sample.line("level", x: 100, y: 100), Sample.line("slant", x: 100, y: 200, angle: 10),
                    Sample.line("down", x: 500, y: 100, angle: 90), Sample.line("head", x: 500, y: 600, angle: 180),
                    Sample.line("up", x: 700, y: 400, angle: -90),
                ])
            ])
        )
        let lines = root.all(class: "ocr_line").map(self.properties)
        #expect(lines.map { $0["textangle"] } == [nil, nil, "270", "180", "90"])
        #expect(lines[0]["baseline"] == "0 0")
        let slant = try #require(lines[1]["baseline"]).split(separator: " ").compactMap { Double($0) }
        #expect(abs(slant[0] - 0.176) < 0.001)
        // At the left edge of the box, the line's height above the lower left corner is its slope times its width.
        #expect(abs(slant[1] + 17.4) < 1.5)
    }

    @Test func nothingInATextOrANameIsMarkup() throws {
        let document = TextFormat.hocr.document([
            Sample.page([Sample.line(Sample.nasty, x: 0, y: 0)], name: "a&b<\"c'\u{2}.png")
        ])
        let root = try Element.root(of: document)
        #expect(
            root.all(class: "ocrx_word").map(\.text) == [
                "a&b<c>d\"e'f\\g\u{FFFD}h\u{FFFD}i\u{FFFD}j\u{FFFD}k\u{2028}l\tm\nn"
            ]
        )
        #expect(
            root.all(class: "ocr_page").first?.attributes["title"]?.hasPrefix("image \"a&b<'c'\u{FFFD}.png\"; bbox")
                == true
        )
    }

    @Test func wordsWithoutCharactersHaveTheirText() throws {
        var line = Sample.line("one two", x: 0, y: 0)
        for index in line.words.indices { line.words[index].characters = [] }
        let root = try Element.root(of: TextFormat.hocr.document([Sample.page([line])]))
        #expect(root.all(class: "ocrx_word").map(\.text) == ["one", "two"])
        #expect(root.all(class: "ocrx_cinfo").isEmpty)
    }
}
