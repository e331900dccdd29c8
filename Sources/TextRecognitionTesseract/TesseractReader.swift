internal import TextModel
public import TextRecognition

/// Reader of further scripts by the LSTM recognizer of Tesseract, as far as the machine has it and its languages.
///
/// R. Smith, An Overview of the Tesseract OCR Engine (ICDAR, 2007). Each language in use has as many recognizers as threads read
/// at a time. A recognizer is created when it is first needed, which takes 12 to 46 ms, stays until the process ends, and takes
/// 4 to 16 MB (accuracy log, *Tesseract for other scripts*).
public final class TesseractReader: ScriptReader {
    /// Languages with the names of their files, of each script the most usual first.
    ///
    /// The languages are those of scripts that the networks recognize and do not read, and those in Latin script of whose letters
    /// beyond a to z a level misreads more than a tenth (`bench/languages`).
    private static let names: KeyValuePairs = [
        "ru": "rus", "uk": "ukr", "bg": "bul", "be": "bel", "sr": "srp", "mk": "mkd", "kk": "kaz", "ky": "kir",
        "mn": "mon", "tg": "tgk", "tt": "tat",
        "el": "ell",
        "ko": "kor",
        "ar": "ara", "fa": "fas", "ur": "urd", "ps": "pus", "ug": "uig", "sd": "snd",
        "he": "heb", "yi": "yid",
        "hi": "hin", "mr": "mar", "ne": "nep", "sa": "san",
        "bn": "ben", "as": "asm",
        "ta": "tam",
        "te": "tel",
        "th": "tha",
        "ka": "kat",
        "hy": "hye",
        "cs": "ces", "tr": "tur", "vi": "vie", "ro": "ron", "hu": "hun", "sk": "slk", "lt": "lit", "lv": "lav",
        "et": "est", "az": "aze", "is": "isl",
    ]

    /// Primary subtags of the languages whose files are installed.
    public let languages: [String]
    /// Recognizers by language; `nil` stands for one that cannot be loaded.
    private let recognizers: [String: ObjectPool<TesseractRecognizer?>]

    /// Debian package of the library.
    package static let libraryPackage = "libtesseract5"
    /// Debian packages of the languages, by their primary subtags.
    package static let languagePackages = Dictionary(
        uniqueKeysWithValues: names.map { language, name in (language, "tesseract-ocr-\(name)") }
    )

    /// Finds the languages that are installed; `nil` without the library, or without a language.
    ///
    /// - Parameter folder: The folder of their files; `nil` for that of the variable `TESSDATA_PREFIX`, or of the library.
    public init?(folder: String? = nil) {
        guard let installed = TesseractRecognizer.installedLanguages(in: folder) else { return nil }
        let names = Self.names.filter { installed.contains($0.value) }
        guard !names.isEmpty else { return nil }
        self.languages = names.map(\.key)
        self.recognizers = Dictionary(
            uniqueKeysWithValues: names.map { language, name in
                (language, ObjectPool { TesseractRecognizer(folder: folder, name: name) })
            }
        )
    }

    /// Reads a rectified line; see ``ScriptReader/read(_:width:height:language:)``.
    public func read(
        _ pixels: UnsafeBufferPointer<UInt8>,
        width: Int,
        height: Int,
        language: String
    ) -> ScriptReading? {
        self.recognizers[language]?.withObject { unsafe $0?.read(pixels, width: width, height: height) }
    }
}
