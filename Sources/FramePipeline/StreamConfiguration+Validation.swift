package import GlyphwireProtocol
package import TextRecognition

extension StreamConfiguration {
    /// Checks once per configuration, not with each frame, that readers of `engine` support the reading options.
    ///
    /// - Parameter engine: The engine that will read the stream.
    /// - Throws: ``WireError`` with ``WireError/Code/levelUnavailable``, ``WireError/Code/unsupportedLanguage`` or, for
    ///   a custom word with unsupported characters, ``WireError/Code/badOption``.
    package func validate(for engine: any ReadingEngine) throws(WireError) {
        do throws(RecognitionError) {
            try engine.validate(self.reading)
        } catch {
            throw WireError(error)
        }
    }
}
