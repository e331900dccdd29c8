package import GlyphwireProtocol
package import TextRecognition

extension StreamConfiguration {
    /// Checks that readers of `engine` can honour the reading options, so that a client hears of it once, not with each frame.
    ///
    /// - Parameter engine: The engine that will read the stream.
    /// - Throws: ``WireError`` with ``WireError/Code/levelUnavailable``, ``WireError/Code/unsupportedLanguage`` or, for a word
    ///   that cannot be read, ``WireError/Code/badOption``.
    package func validate(for engine: any ReadingEngine) throws(WireError) {
        do throws(RecognitionError) {
            try engine.validate(self.reading)
        } catch {
            throw WireError(error)
        }
    }
}
