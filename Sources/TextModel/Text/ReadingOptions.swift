/// Options for reading a client's frames; set by `configure` and valid until the next one.
public struct ReadingOptions: Sendable, Hashable {
    /// Possible numbers of candidates (Protocol.md, *Options*).
    package static let candidateCounts = 1...10

    /// Set of models to use; `fast` by default.
    public var level: RecognitionLevel
    /// Whether text is recognized or only detected; `true` by default.
    public var recognize: Bool
    /// Whether words include their characters; `true` by default.
    public var characters: Bool
    /// Minimum height of a line as a fraction of the upright picture's height; 0 by default, which keeps all.
    public var minimumTextHeight: Double
    /// Part of the picture to read; all of it by default.
    public var regionOfInterest: Region
    /// Source of the picture's orientation; the client by default.
    public var upright: Upright
    /// Expected languages as BCP 47 codes, such as `en` or `zh-Hans`; empty by default.
    ///
    /// Characters that none of them uses are not read. If no language is given, every character of the models is.
    public var languages: [String]
    /// Languages to prefer to others of their script, as BCP 47 codes; empty by default.
    ///
    /// Unlike ``languages`` they exclude no text.
    public var languageHints: [String]
    /// Expected words, at most 1000; empty by default.
    ///
    /// Where recognition rates one of these words almost as likely as the best text, it is reported.
    public var customWords: [String]
    /// Characters that the text may have; `nil`, the default, allows all.
    ///
    /// The decoder chooses among these alone, so that with `0-9` a zero is never an O.
    public var allowedCharacters: AllowedCharacters?
    /// Whether misread words are corrected by a dictionary, and zones of passports by their format; `true` by default.
    ///
    /// Without, letters stay as they are read, as codes of letters alone need it.
    public var languageCorrection: Bool
    /// Treatment of lines in scripts that the models cannot read; reported by default.
    public var unreadable: UnreadableLines
    /// Number of candidates to report per line, 1...10; 1 by default.
    public var candidates: Int

    /// Creates options, each with its default.
    public init(
        level: RecognitionLevel = .fast,
        recognize: Bool = true,
        characters: Bool = true,
        minimumTextHeight: Double = 0,
        regionOfInterest: Region = .full,
        upright: Upright = .given,
        languages: [String] = [],
        languageHints: [String] = [],
        customWords: [String] = [],
        allowedCharacters: AllowedCharacters? = nil,
        languageCorrection: Bool = true,
        unreadable: UnreadableLines = .report,
        candidates: Int = 1
    ) {
        self.level = level
        self.recognize = recognize
        self.characters = characters
        self.minimumTextHeight = minimumTextHeight
        self.regionOfInterest = regionOfInterest
        self.upright = upright
        self.languages = languages
        self.languageHints = languageHints
        self.customWords = customWords
        self.allowedCharacters = allowedCharacters
        self.languageCorrection = languageCorrection
        self.unreadable = unreadable
        self.candidates = candidates
    }

    /// Languages that the text probably has: the expected ones, or else the hints.
    package var namedLanguages: [String] { self.languages.isEmpty ? self.languageHints : self.languages }

    /// Whether lines have other readings beside their best one.
    package var wantsCandidates: Bool { self.candidates > 1 }
}
