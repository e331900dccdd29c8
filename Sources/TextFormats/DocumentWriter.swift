package import NIOCore

/// Writer of the text of one or several pictures as one document.
///
/// Call ``begin(into:)`` once, then write each page in order, then call ``end(into:)`` once. A format whose documents have
/// at least one page begins with the first, and writes nothing without one.
package protocol DocumentWriter {
    /// Appends the header of the document.
    mutating func begin(into buffer: inout ByteBuffer)

    /// Appends a page.
    ///
    /// A picture that could not be read is reported in formats with errors, and omitted from the others.
    mutating func write(_ page: Page, into buffer: inout ByteBuffer)

    /// Appends the footer of the document.
    mutating func end(into buffer: inout ByteBuffer)
}

extension DocumentWriter {
    package mutating func begin(into buffer: inout ByteBuffer) {}
    package mutating func end(into buffer: inout ByteBuffer) {}
}
