package import GlyphwireProtocol
internal import TextModel

/// Text of one picture as Cloud Vision's `AnnotateImageResponse`.
///
/// Boxes have four corners of whole pixels, from the start of the text; zeros are always written. Words are separated
/// by spaces. A picture without text has an empty response, and what was found but not recognized has boxes alone.
package struct ImageAnnotation: Sendable {
    private let layout: PageLayout
    private let text: String
    private let languages: LanguageGuess

    /// Creates the response for a picture that was read.
    ///
    /// - Parameters:
    ///   - text: The text of the picture.
    ///   - languages: The expected languages, as codes of BCP 47.
    package init(_ text: FrameText, languages: [String] = []) {
        self.layout = PageLayout(text)
        self.text = text.text
        self.languages = LanguageGuess(text.text, expected: languages)
    }

    /// Error of a picture or of a whole request, as a `google.rpc.Status`.
    package struct Status: Error, Sendable, Hashable {
        /// A number of `google.rpc.Code`, such as 3 for `INVALID_ARGUMENT`.
        package let code: Int
        /// Message for a person.
        package let message: String

        /// Creates a status.
        package init(code: Int, message: String) {
            self.code = code
            self.message = message
        }

        /// Creates the status of a file that is not a picture, or not of a supported kind.
        package static func badImage(_ reason: String) -> Status {
            Status(code: 3, message: "Bad image data: \(reason)")
        }
    }

    /// Writes the response of a picture without text, with its error.
    ///
    /// - Parameters:
    ///   - status: The error.
    ///   - json: The builder to write to.
    ///   - uri: The name of the picture, as an `ImageAnnotationContext`.
    package static func write(_ status: Status, into json: inout JSONBuilder, uri: String? = nil) {
        json.object { json in
            json.error(status)
            json.context(uri)
        }
    }

    /// Writes the response.
    ///
    /// - Parameters:
    ///   - json: The builder to write to.
    ///   - error: The error of features that are not supported.
    ///   - uri: The name of the picture, as an `ImageAnnotationContext`.
    package func write(into json: inout JSONBuilder, error: Status? = nil, uri: String? = nil) {
        json.object { json in
            if let error { json.error(error) }
            json.context(uri)
            guard !self.layout.blocks.isEmpty else { return }
            json.array("textAnnotations") { self.writeEntities(into: &$0) }
            json.object("fullTextAnnotation") { json in
                json.array("pages") { self.writePage(into: &$0) }
                json.text("text", self.text)
            }
        }
    }

    /// Writes the whole text as one entity, then each word.
    private func writeEntities(into json: inout JSONBuilder) {
        let words = self.layout.lines.flatMap(\.words)
        json.object { json in
            json.string("locale", self.languages.main ?? "und")
            json.text("description", self.text)
            let level = Axes.level.rectangle(around: self.layout.lines.map(\.box))
            json.box("boundingPoly", level)
        }
        for word in words {
            json.object { json in
                json.text("description", word.text)
                json.box("boundingPoly", word.box)
            }
        }
    }

    private func writePage(into json: inout JSONBuilder) {
        json.object { json in
            if let language = self.languages.main { json.languages([language]) }
            json.integer("width", self.layout.width)
            json.integer("height", self.layout.height)
            json.array("blocks") { json in
                for block in self.layout.blocks { self.write(block, into: &json) }
            }
            json.confidence(of: self.layout.lines)
        }
    }

    private func write(_ block: PageLayout.Block, into json: inout JSONBuilder) {
        json.object { json in
            json.box("boundingBox", block.box)
            json.array("paragraphs") { json in
                for paragraph in block.paragraphs { self.write(paragraph, into: &json) }
            }
            json.string("blockType", "TEXT")
            json.confidence(of: block.paragraphs.flatMap(\.lines))
        }
    }

    private func write(_ paragraph: PageLayout.Paragraph, into json: inout JSONBuilder) {
        json.object { json in
            json.box("boundingBox", paragraph.box)
            json.array("words") { json in
                for (index, line) in paragraph.lines.enumerated() {
                    let isLastLine = index == paragraph.lines.count - 1
                    for (index, word) in line.words.enumerated() {
                        let isLastWord = index == line.words.count - 1
                        self.write(word, isLastWord ? isLastLine ? .lineBreak : .wrap : .space, into: &json)
                    }
                }
            }
            json.confidence(of: paragraph.lines)
        }
    }

    /// Kind of break after a word.
    private enum Break: String {
        case space = "SPACE"
        case wrap = "EOL_SURE_SPACE"
        case lineBreak = "LINE_BREAK"
    }

    private func write(_ word: TextWord, _ end: Break, into json: inout JSONBuilder) {
        json.object { json in
            if let language = self.languages.language(of: word.text) { json.languages([language]) }
            json.box("boundingBox", word.box)
            json.array("symbols") { json in
                // Without characters in the request, a symbol has no box.
                let symbols =
                    word.characters.isEmpty
                    ? word.text.map { (String($0), word.confidence, Quad?.none) }
                    : word.characters.map { ($0.text, $0.confidence, $0.box) }
                for (index, (text, confidence, box)) in symbols.enumerated() {
                    json.object { json in
                        if index == symbols.count - 1 {
                            json.object("property") { json in
                                json.object("detectedBreak") { $0.string("type", end.rawValue) }
                            }
                        }
                        if let box { json.box("boundingBox", box) }
                        json.text("text", text)
                        json.number("confidence", confidence, precision: .confidence)
                    }
                }
            }
            json.number("confidence", word.confidence, precision: .confidence)
        }
    }
}

extension JSONBuilder {
    fileprivate mutating func error(_ status: ImageAnnotation.Status) {
        self.object("error") { json in
            json.integer("code", status.code)
            json.string("message", status.message)
        }
    }

    /// Writes a recognized text, if it is one.
    fileprivate mutating func text(_ name: StaticString, _ text: String) {
        if !text.isEmpty { self.string(name, text) }
    }

    /// The name of the picture, where there is one.
    fileprivate mutating func context(_ uri: String?) {
        if let uri { self.object("context") { $0.string("uri", uri) } }
    }

    /// Writes four corners as a `BoundingPoly`.
    fileprivate mutating func box(_ name: StaticString, _ box: Quad) {
        self.object(name) { json in
            json.array("vertices") { json in
                for corner in box.corners {
                    json.object { json in
                        json.integer("x", Int(corner.x.rounded()))
                        json.integer("y", Int(corner.y.rounded()))
                    }
                }
            }
        }
    }

    fileprivate mutating func languages(_ codes: [String]) {
        self.object("property") { json in
            json.array("detectedLanguages") { json in
                for code in codes { json.object { $0.string("languageCode", code) } }
            }
        }
    }

    /// Writes the mean confidence of the words of some lines.
    fileprivate mutating func confidence(of lines: [TextLine]) {
        let words = lines.flatMap(\.words)
        guard !words.isEmpty else { return }
        self.number("confidence", words.reduce(0) { $0 + $1.confidence } / Float(words.count), precision: .confidence)
    }
}
