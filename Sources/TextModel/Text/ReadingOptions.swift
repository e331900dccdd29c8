/// How much work a reading may cost.
public enum RecognitionLevel: String, Sendable, CaseIterable, Codable {
    /// The small models: for live streams.
    case fast
    /// The larger models: for text that is small, blurred or must be right.
    case accurate
}

/// Who says which way up a frame is.
public enum Upright: String, Sendable, CaseIterable {
    /// Its header, or the EXIF tag of its JPEG. The default.
    case given
    /// The server, by the way in which the text runs.
    case auto
}

/// A rectangle as fractions 0...1 of the upright picture, origin at its top-left.
public struct Region: Sendable, Hashable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// The width, greater than 0.
    public var width: Double
    /// The height, greater than 0.
    public var height: Double

    /// A region of the picture.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole picture.
    public static let full = Region(x: 0, y: 0, width: 1, height: 1)
}

/// What a client wants to know of its frames; set by `configure`, in force until the next one.
public struct ReadingOptions: Sendable, Hashable {
    /// Which models read; `fast` by default.
    public var level: RecognitionLevel
    /// Whether text is read, or boxes are all there is; `true` by default.
    public var recognize: Bool
    /// Whether words carry their characters; `true` by default.
    public var characters: Bool
    /// Lines lower than this fraction of the upright picture's height are left out; 0 by default, so none is.
    public var minimumTextHeight: Double
    /// The part of the picture to work on; all of it by default.
    public var regionOfInterest: Region
    /// Who says which way up the picture is; by default the client does.
    public var upright: Upright
    /// BCP 47 codes of the languages to expect, such as `en` or `zh-Hans`; empty by default.
    ///
    /// Characters that none of them uses are not read; with no language given, every character the models know is.
    public var languages: [String]
    /// Words to expect, at most 1000: where a reading is almost as likely one of them, that one is reported; none by default.
    public var customWords: [String]
    /// The number of readings to report of each line, 1...10; 1 by default.
    public var candidates: Int

    /// The defaults.
    public init(
        level: RecognitionLevel = .fast,
        recognize: Bool = true,
        characters: Bool = true,
        minimumTextHeight: Double = 0,
        regionOfInterest: Region = .full,
        upright: Upright = .given,
        languages: [String] = [],
        customWords: [String] = [],
        candidates: Int = 1
    ) {
        self.level = level
        self.recognize = recognize
        self.characters = characters
        self.minimumTextHeight = minimumTextHeight
        self.regionOfInterest = regionOfInterest
        self.upright = upright
        self.languages = languages
        self.customWords = customWords
        self.candidates = candidates
    }
}
