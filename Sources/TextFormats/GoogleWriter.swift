internal import GlyphwireProtocol
internal import NIOCore

/// Writer of Cloud Vision's batch response, with an element for each picture in order.
struct GoogleWriter: DocumentWriter {
    let languages: [String]
    private var isFirst = true

    init(languages: [String]) {
        self.languages = languages
    }

    func begin(into buffer: inout ByteBuffer) {
        buffer.writeString(#"{"responses":["#)
    }

    mutating func write(_ page: Page, into buffer: inout ByteBuffer) {
        buffer.writeString(self.isFirst ? "\n" : ",\n")
        self.isFirst = false
        buffer.writeJSON { json in
            switch page.text {
            case .success(let text):
                ImageAnnotation(text, languages: self.languages).write(into: &json, uri: page.name)
            case .failure(let error): ImageAnnotation.write(.badImage(error.reason), into: &json, uri: page.name)
            }
        }
    }

    func end(into buffer: inout ByteBuffer) {
        buffer.writeString("\n]}\n")
    }
}
