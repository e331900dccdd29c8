internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import TextRecognitionOpenVINO
internal import TextRecognitionTesseract

extension OpenVINOTextEngine {
    /// Checks that it can honour the options of a stream or picture.
    ///
    /// - Parameter configuration: The options.
    /// - Throws: ``Failure``, which says how a language that could be read is installed.
    func check(_ configuration: StreamConfiguration) throws(Failure) {
        do throws(WireError) {
            try configuration.validate(for: self)
        } catch {
            let advice = error.code == .unsupportedLanguage ? self.advice(on: configuration.reading.languages) : nil
            throw Failure([error.message, advice].compactMap(\.self).joined(separator: "; "))
        }
    }

    /// How to install the first language that Tesseract would add; `nil` without one.
    private func advice(on languages: [String]) -> String? {
        for language in languages where !self.scriptLanguages.contains(language) {
            guard let packages = TesseractReader.packages(for: language) else { continue }
            return "\(language) can be read after: apt-get install \(packages.joined(separator: " "))"
        }
        return nil
    }
}
