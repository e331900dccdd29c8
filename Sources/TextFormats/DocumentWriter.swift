package import GlyphwireProtocol
internal import TextModel
package import NIOCore

/// Writes what one or several pictures say as one document: ``begin(into:)`` once, each page in order, ``end(into:)`` once.
package protocol DocumentWriter {
    /// Appends what stands before the first page.
    mutating func begin(into buffer: inout ByteBuffer)

    /// Appends a page.
    ///
    /// A picture that could not be read has a place in formats that can say so, and is left out of the others.
    mutating func write(_ page: Page, into buffer: inout ByteBuffer)

    /// Appends what stands behind the last page.
    mutating func end(into buffer: inout ByteBuffer)
}

extension DocumentWriter {
    package mutating func begin(into buffer: inout ByteBuffer) {}
    package mutating func end(into buffer: inout ByteBuffer) {}
}

/// One picture of a document.
package struct Page: Sendable {
    /// Its place among the pictures, from 1; those that could not be read count.
    package let number: Int
    /// What it is called, such as the path of its file; empty if it has no name.
    package let name: String
    /// The text of the picture, or the error.
    package let result: FrameResult

    /// A page about the picture `name`.
    package init(number: Int, name: String, result: FrameResult) {
        self.number = number
        self.name = name
        self.result = result
    }

    /// What the picture says, or why that is not known.
    package var text: Result<FrameText, PageError> {
        switch self.result.outcome {
        case .ok(let text): .success(text)
        case .error(let error): .failure(PageError(reason: error.message))
        case .dropped, .expired, .other: .failure(PageError(reason: "the picture was not read"))
        }
    }

    /// What the picture says, if it was read.
    package var readText: FrameText? { try? self.text.get() }
}

/// Why a picture was not read.
package struct PageError: Error, Sendable {
    /// As a sentence.
    package let reason: String
}
