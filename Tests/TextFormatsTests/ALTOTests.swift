import GlyphwireProtocol
import TextModel
import Testing
import TextFormats

/// ALTO, by the relevant rules of its schema.
@Suite struct ALTOTests {
    /// Allowed child elements, in their order.
    private static let content: [String: [String]] = [
        "alto": ["Description", "Layout"],
        "Description": ["MeasurementUnit", "sourceImageInformation", "Processing"],
        "sourceImageInformation": ["fileName", "fileIdentifier"],
        "Processing": ["processingCategory", "processingSoftware"],
        "processingSoftware": ["softwareName", "softwareVersion"],
        "Layout": ["Page"], "Page": ["PrintSpace"], "PrintSpace": ["ComposedBlock"],
        "ComposedBlock": ["Shape", "TextBlock"], "TextBlock": ["Shape", "TextLine"], "Shape": ["Polygon"],
        "String": ["Shape", "Glyph"], "Glyph": ["Shape"],
    ]

    private func check(_ element: Element) {
        let names = element.children.map(\.name)
        if element.name == "TextLine" {
            let rest = names.drop { $0 == "Shape" }
            #expect(rest.first == "String" && rest.last == "String")
            #expect(zip(rest, rest.dropFirst()).allSatisfy { $0 != $1 }, "strings with a space in between")
        } else {
            let allowed = Self.content[element.name, default: []]
            let places = names.map { allowed.firstIndex(of: $0) ?? -1 }
            #expect(places.allSatisfy { $0 >= 0 } && places == places.sorted(), "\(element.name): \(names)")
        }
        for child in element.children { self.check(child) }
    }

    @Test func elementsStandWhereTheSchemaHasThem() throws {
        let pages = [
            Sample.page(Sample.lines + [Sample.line("slant a", x: 100, y: 400, angle: 20)]),
            Sample.page([], number: 2, name: "empty.png"),
        ]
        let root = try Element.root(of: TextFormat.alto.document(pages))
        #expect(root.name == "alto" && root.attributes["xmlns"] == "http://www.loc.gov/standards/alto/ns-v4#")
        self.check(root)
        let identifiers = root.descendants.compactMap { $0.attributes["ID"] }
        #expect(Set(identifiers).count == identifiers.count)
        #expect(root.all("MeasurementUnit").map(\.text) == ["pixel"])
        #expect(root.all("fileIdentifier").map(\.text) == ["page.png", "empty.png"])
        #expect(root.all("Page").map { $0.attributes["PHYSICAL_IMG_NR"] } == ["1", "2"])
        for element in root.all("String") + root.all("Glyph") {
            let confidence = Float(element.attributes["WC"] ?? element.attributes["GC"] ?? "")
            #expect(confidence.map { (0...1).contains($0) } == true)
        }
        #expect(root.all("Glyph").allSatisfy { $0.attributes["CONTENT"]?.unicodeScalars.count == 1 })
    }

    @Test func wordsHaveTheirPositionAndConfidence() throws {
        let root = try Element.root(of: TextFormat.alto.document([Sample.page(Sample.lines)]))
        #expect(root.all("fileName").map(\.text) == ["page.png"])
        let word = try #require(root.all("String").first)
        #expect(
            word.attributes == [
                "ID": "word_1_1", "HPOS": "100", "VPOS": "100", "WIDTH": "60", "HEIGHT": "20", "CONTENT": "Old",
                "WC": "0.875",
            ]
        )
        #expect(word.children.map { $0.attributes["CONTENT"] } == ["O", "l", "d"])
        let space = try #require(root.all("SP").first)
        #expect(space.attributes == ["HPOS": "160", "VPOS": "100", "WIDTH": "20", "HEIGHT": "20"])
        #expect(root.all("TextLine").first?.attributes["BASELINE"] == "100,120 280,120")
        #expect(root.all("Polygon").isEmpty, "level text needs no shape")
    }

    @Test func slantedTextHasItsCornersAndTurnedTextItsRotation() throws {
        let lines = [Sample.line("slant", x: 100, y: 100, angle: 20), Sample.line("down", x: 500, y: 100, angle: 90)]
        let root = try Element.root(of: TextFormat.alto.document([Sample.page(lines)]))
        let slanted = try #require(root.all("TextLine").first)
        #expect(
            slanted.children.first?.children.first?.attributes["POINTS"] == "100,100 194,134.2 187.1,153 93.2,118.8"
        )
        #expect(root.all("TextBlock").map { $0.attributes["ROTATION"] } == [nil, "270"])
    }

    @Test func aGlyphIsOneCodePoint() throws {
        var line = Sample.line("ab", x: 0, y: 0)
        line.words[0].characters[1].text = "b\u{301}"
        let root = try Element.root(of: TextFormat.alto.document([Sample.page([line])]))
        #expect(root.all("Glyph").isEmpty)
    }

    @Test func nothingInATextOrANameIsMarkup() throws {
        let page = Sample.page([Sample.line(Sample.nasty, x: 0, y: 0)], name: "a&b<\"c'\u{2}.png")
        let root = try Element.root(of: TextFormat.alto.document([page]))
        #expect(
            root.all("String").map { $0.attributes["CONTENT"] } == [
                "a&b<c>d\"e'f\\g\u{FFFD}h\u{FFFD}i\u{FFFD}j\u{FFFD}k\u{2028}l\tm\nn"
            ]
        )
        #expect(root.all("fileName").map(\.text) == ["a&b<\"c'\u{FFFD}.png"])
    }

    @Test func aWordThatWasNotReadIsAStringOfNothing() throws {
        let page = Sample.page([Sample.unreadLine("not read", x: 10, y: 10)])
        let root = try Element.root(of: TextFormat.alto.document([page]))
        self.check(root)
        #expect(root.all("String").map { $0.attributes["CONTENT"] } == ["", ""])
        #expect(root.all("Glyph").isEmpty)
    }
}
