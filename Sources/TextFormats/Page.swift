package import GlyphwireProtocol
package import ImageCodecs

/// Page of a document, for one picture.
package struct Page: Sendable {
    /// Position among the pictures, from 1; unreadable ones count.
    package let number: Int
    /// Name of the picture, such as its path; empty if it has none.
    package let name: String
    /// Text of the picture, or the error.
    package let result: FrameResult
    /// The picture itself, for formats that embed it.
    package let image: EncodedImage?

    /// Creates a page for the picture `name`.
    package init(number: Int, name: String, result: FrameResult, image: EncodedImage? = nil) {
        self.number = number
        self.name = name
        self.result = result
        self.image = image
    }

    /// Text of the picture, or the error.
    package var text: Result<FrameText, PageError> {
        switch self.result.outcome {
        case .ok(let text): .success(text)
        case .error(let error): .failure(PageError(reason: error.message))
        case .dropped, .expired, .other: .failure(PageError(reason: "the picture was not read"))
        }
    }

    /// Text of the picture; `nil` if it was not read.
    package var readText: FrameText? { try? self.text.get() }
}
