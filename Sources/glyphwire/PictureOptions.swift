internal import ArgumentParser
internal import GlyphwireProtocol
internal import TextModel
internal import TextSearch

/// Options of how pictures are read, which the commands that read pictures share.
struct PictureOptions: ParsableArguments {
    @Option(help: "The level of the models. (default: fast)")
    var level: RecognitionLevel?

    @Option(
        help: ArgumentHelp("The orientation of the pictures, 1 to 8 as in EXIF; 0 takes their own.", valueName: "0...8")
    )
    var orientation: UInt8 = 0

    @Option(help: "How the orientation is found: given (by the pictures, or --orientation) or auto (from their text).")
    var upright: Upright = .given

    @Option(
        help: ArgumentHelp(
            "Omit lines lower than this share of the picture's height. Large pictures are scanned in tiles where it is "
                + "small.",
            valueName: "0...1"
        )
    )
    var minimumTextHeight = 0.0

    @Option(help: ArgumentHelp("Languages to expect, such as en,de,zh-Hans. (default: all)", valueName: "codes"))
    var languages: String?

    @Option(
        help: ArgumentHelp(
            "Words to expect, such as Gleis,Ausgang; they are preferred where the reading is ambiguous.",
            valueName: "words"
        )
    )
    var customWords: String?

    @Option(
        help: ArgumentHelp(
            "The only characters to read, such as 0-9. or A-Z0-9-. (default: all)",
            valueName: "characters"
        )
    )
    var characterSet: AllowedCharacters?

    @Flag(
        inversion: .prefixedNo,
        help: "Correct misread words by a dictionary; without, codes of letters alone stay as they are read."
    )
    var languageCorrection = true

    @Option(
        help:
            "What becomes of lines in scripts that cannot be read: report (boxes and script, without text) or omit."
    )
    var unreadable: UnreadableLines = .report

    func validate() throws {
        guard self.orientation <= 8 else {
            throw ValidationError("There is no orientation \(self.orientation): use 1 to 8 as in EXIF, or 0.")
        }
        guard (0...1).contains(self.minimumTextHeight) else {
            throw ValidationError("The minimum text height cannot be \(self.minimumTextHeight): use 0 to 1.")
        }
    }

    /// Sets the options that the engine takes.
    func apply(to reading: inout ReadingOptions) throws {
        if let level = try Setting.value(self.level, environment: .level) { reading.level = level }
        reading.languages = Self.list(self.languages)
        reading.upright = self.upright
        reading.customWords = Self.list(self.customWords)
        reading.allowedCharacters = self.characterSet
        reading.languageCorrection = self.languageCorrection
        reading.unreadable = self.unreadable
        reading.minimumTextHeight = self.minimumTextHeight
    }

    private static func list(_ text: String?) -> [String] { text?.split(separator: ",").map(String.init) ?? [] }
}
