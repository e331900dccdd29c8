internal import CTesseract
internal import NIOConcurrencyHelpers
internal import TextRecognition

/// Recognizer of one language, for one thread at a time.
// Safe because a recognizer has no state in common with others, and its owner gives it to one thread at a time.
@safe
final class TesseractRecognizer: @unchecked Sendable {
    /// Resolution in dots an inch that a line is said to have; any keeps the library from guessing one.
    private static let resolution: Int32 = 300
    /// Least width of a picture; not even a letter is narrower.
    private static let minWidth = 8
    /// Held while a recognizer is created, since that reads and writes what all have in common.
    private static let creation = NIOLock()

    private let library: glyphwire_tesseract
    private let recognizer: OpaquePointer
    /// Name of the language's file.
    private let name: String

    /// Loads a language; `nil` without the library, or if the file is missing or damaged.
    init?(folder: String?, name: String) {
        guard let library = TesseractLibrary.functions, let recognizer = unsafe Self.make(library) else { return nil }
        (self.library, unsafe self.recognizer, self.name) = unsafe (library, recognizer, name)
        let status = Self.creation.withLock {
            unsafe library.load(recognizer, folder, name, glyphwire_tesseract_lstm)
        }
        guard status == 0 else { return nil }
        unsafe library.set_page_mode(recognizer, glyphwire_tesseract_raw_line)
    }

    deinit { unsafe self.library.destroy(self.recognizer) }

    /// A recognizer without a language, which is silent: the library writes its messages to standard error.
    private static func make(_ library: glyphwire_tesseract) -> OpaquePointer? {
        guard let recognizer = library.create() else { return nil }
        _ = unsafe library.set_variable(recognizer, "debug_file", "/dev/null")
        return unsafe recognizer
    }

    /// Names of the languages whose files are in a folder; `nil` without the library.
    static func installedLanguages(in folder: String?) -> Set<String>? {
        guard let library = TesseractLibrary.functions, let recognizer = unsafe Self.make(library) else { return nil }
        defer { unsafe library.destroy(recognizer) }
        // Only a recognizer that was asked for a language knows its folder, whether or not that has the language.
        _ = Self.creation.withLock { unsafe library.load(recognizer, folder, "none", glyphwire_tesseract_lstm) }
        guard let names = unsafe library.available_languages(recognizer) else { return [] }
        defer { unsafe library.delete_texts(names) }
        var found: Set<String> = []
        var next = unsafe names
        while let name = unsafe next.pointee {
            unsafe found.insert(String(cString: name))
            unsafe next += 1
        }
        return found
    }

    /// Reads a line of gray pixels; `nil` without text.
    func read(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int) -> ScriptReading? {
        let library = self.library
        guard width >= Self.minWidth, height > 0, pixels.count >= width * height else { return nil }
        unsafe library.set_image(self.recognizer, pixels.baseAddress, Int32(width), Int32(height), 1, Int32(width))
        defer { unsafe library.clear(self.recognizer) }
        unsafe library.set_resolution(self.recognizer, Self.resolution)
        guard unsafe library.recognize(self.recognizer, nil) == 0,
            let results = unsafe library.results(self.recognizer)
        else { return nil }
        defer { unsafe library.delete_results(results) }
        guard let text = unsafe self.text(of: results, glyphwire_tesseract_line) else { return nil }
        let symbols = unsafe self.symbols(in: results)
        var reading = SymbolSequence(symbols, width: Float(width)).reading(spacedAs: text)
        for index in reading.words.indices {
            reading.words[index].isInDictionary = self.isInDictionary(reading.words[index].text)
        }
        // The dictionary has the letters of the file.
        return reading.words.isEmpty ? nil : reading.withUsualLetters(of: self.name)
    }

    /// The symbols of all results in logical order.
    private func symbols(in results: OpaquePointer) -> [SymbolSequence.Symbol] {
        let library = self.library
        var symbols: [SymbolSequence.Symbol] = []
        repeat {
            var (left, top, right, bottom) = (Int32(0), Int32(0), Int32(0), Int32(0))
            guard let text = unsafe self.text(of: results, glyphwire_tesseract_symbol),
                unsafe library.box(
                    library.place(results),
                    glyphwire_tesseract_symbol,
                    &left,
                    &top,
                    &right,
                    &bottom
                ) != 0
            else { continue }
            symbols.append(
                SymbolSequence.Symbol(
                    text: text,
                    confidence: unsafe library.confidence(results, glyphwire_tesseract_symbol) / 100,
                    wordConfidence: unsafe library.confidence(results, glyphwire_tesseract_word) / 100,
                    left: Float(left),
                    right: Float(right)
                )
            )
        } while unsafe library.next(results, glyphwire_tesseract_symbol) != 0
        return symbols
    }

    /// Whether the dictionary of the language has a word, without the punctuation around it.
    private func isInDictionary(_ text: String) -> Bool {
        let letters = text.drop { !$0.isLetter }
        guard let last = letters.lastIndex(where: \.isLetter) else { return false }
        return unsafe self.library.is_word(self.recognizer, String(letters[...last])) != 0
    }

    /// Text of the current element at a level.
    private func text(of results: OpaquePointer, _ level: Int32) -> String? {
        guard let text = unsafe self.library.text(results, level) else { return nil }
        defer { unsafe self.library.delete_text(text) }
        return unsafe String(cString: text)
    }
}
