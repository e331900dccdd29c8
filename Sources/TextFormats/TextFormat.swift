internal import GlyphwireProtocol
package import TextModel

/// Output format for the text of pictures.
package enum TextFormat: String, Sendable, CaseIterable {
    /// The text alone, line by line.
    case text
    /// The `result` lines of Protocol.md.
    case json
    /// The table of Tesseract.
    case tsv
    /// hOCR 1.2, which is XHTML.
    case hocr
    /// ALTO 4.
    case alto
    /// The response of Google Cloud Vision to `images:annotate`.
    case google
    /// The content of Apple Vision's `VNRecognizedTextObservation`, a line of JSON for each picture.
    case vision
    /// Searchable PDF: the pictures, with their text invisibly over them.
    case pdf

    /// Whether pages must have their ``Page/image``.
    package var embedsPictures: Bool { self == .pdf }

    /// Whether documents have the matches of a search.
    package var hasMatches: Bool { self == .text || self == .json }

    /// Coordinate spaces that the format supports, the default first.
    package var coordinates: [CoordinateSpace] {
        switch self {
        case .text, .json: [.sent, .upright, .vision]
        case .tsv, .hocr, .alto, .google: [.sent, .upright]
        case .vision: [.vision]
        case .pdf: [.sent]
        }
    }

    /// Creates a writer of one document for `pictures`.
    ///
    /// - Parameters:
    ///   - pictures: Their names, in order.
    ///   - languages: The expected languages, as codes of BCP 47.
    /// - Returns: The writer.
    package func makeWriter(pictures: [String], languages: [String] = []) -> any DocumentWriter {
        switch self {
        case .text: PlainTextWriter(hasHeadings: pictures.count > 1)
        case .json: ResultLineWriter()
        case .tsv: TSVWriter()
        case .hocr: HOCRWriter()
        case .alto: ALTOWriter(pictures: pictures)
        case .google: GoogleWriter(languages: languages)
        case .vision: VisionWriter()
        case .pdf: PDFWriter()
        }
    }
}
