internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import TextRecognitionOpenVINO
internal import TextRecognitionTesseract

extension OpenVINOTextEngine {
    /// Checks that it can honour the options of a stream or picture.
    ///
    /// - Parameter configuration: The options.
    /// - Throws: ``Failure``, which says how languages that could be read are installed.
    func check(_ configuration: StreamConfiguration) throws(Failure) {
        do throws(WireError) {
            try configuration.validate(for: self)
        } catch {
            let advice = error.code == .unsupportedLanguage ? self.advice(on: configuration.reading.languages) : nil
            throw Failure([error.message, advice].compactMap(\.self).joined(separator: "; "))
        }
    }

    /// How to install those of `languages` that Tesseract would add; `nil` if there are none.
    private func advice(on languages: [String]) -> String? {
        let missing = Set(languages.map(\.primaryLanguageSubtag)).subtracting(self.furtherLanguages)
        let packages = TesseractReader.languagePackages.filter { missing.contains($0.key) }.sorted { $0.key < $1.key }
        guard !packages.isEmpty else { return nil }
        let names = packages.map(\.key).joined(separator: ", ")
        let installed = [TesseractReader.libraryPackage] + packages.map(\.value)
        return "\(names) can be read after: apt-get install \(installed.joined(separator: " "))"
    }
}
