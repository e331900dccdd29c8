internal import TextModel
internal import TextSearch

/// Option of a `configure` body: its name on the wire, the property that it sets, and the rule for its values.
///
/// ``all`` is the only table of them: a `configure` is parsed and written by it, an HTTP request to read pictures takes its
/// options from it, and tests compare Protocol.md and its schema with it.
package struct StreamOption: Sendable {
    /// Form of the values in JSON.
    package enum Form: Sendable {
        /// A string.
        case string
        /// A number, `true` or `false`.
        case literal
        /// An array of strings without commas.
        case words
        /// An array of strings with any characters.
        case texts
        /// An array of numbers.
        case numbers
        /// An array of objects.
        case objects
    }

    /// Name on the wire.
    package let name: String
    /// Form of the values in JSON.
    package let form: Form
    /// Whether it concerns the reading of a picture; others concern the frames of a stream, or the client.
    package let isOfPicture: Bool

    /// Parses the value into a configuration; one of a choice that only a newer server has changes nothing.
    let read: @Sendable (inout OptionReader, inout StreamConfiguration) throws -> Void
    /// Writes the member of the option, if there is one.
    let write: @Sendable (StreamConfiguration, inout JSONBuilder) -> Void
    /// Turns the value upside down, as between Vision's coordinates and others.
    let flip: @Sendable (inout StreamConfiguration) -> Void

    /// Creates an option that is always written.
    init<Value: Sendable>(
        _ name: String,
        _ rule: OptionRule<Value>,
        sets path: any WritableKeyPath<StreamConfiguration, Value> & Sendable,
        isOfPicture: Bool = true
    ) {
        self.init(name, rule, isOfPicture: isOfPicture, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    /// Creates an option that is written only where its property is not `nil`.
    init<Value: Sendable>(
        _ name: String,
        _ rule: OptionRule<Value>,
        setsOptional path: any WritableKeyPath<StreamConfiguration, Value?> & Sendable,
        isOfPicture: Bool = true
    ) {
        self.init(name, rule, isOfPicture: isOfPicture, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    private init<Value: Sendable>(
        _ name: String,
        _ rule: OptionRule<Value>,
        isOfPicture: Bool,
        get: @escaping @Sendable (StreamConfiguration) -> Value?,
        set: @escaping @Sendable (inout StreamConfiguration, Value) -> Void
    ) {
        self.name = name
        self.form = rule.form
        self.isOfPicture = isOfPicture
        self.read = { reader, configuration in
            guard let value = try rule.read(&reader, name) else { return }
            set(&configuration, value)
        }
        self.write = { configuration, json in
            guard let value = get(configuration) else { return }
            json.name(name)
            rule.write(value, &json)
        }
        self.flip = { configuration in
            guard let value = get(configuration) else { return }
            set(&configuration, rule.flipped(value))
        }
    }
}

extension StreamOption {
    /// Name of the client in the server's logs, which an HTTP request may set, too.
    package static let client = StreamOption("client", .name, setsOptional: \.client, isOfPicture: false)

    /// All options, in the order in which they are written and listed.
    package static let all: [StreamOption] = [
        StreamOption("token", .token, setsOptional: \.token, isOfPicture: false),
        Self.client,
        StreamOption("level", .choice, sets: \.reading.level),
        StreamOption("recognize", .flag, sets: \.reading.recognize),
        StreamOption("characters", .flag, sets: \.reading.characters),
        StreamOption("coordinates", .choice, sets: \.coordinates),
        StreamOption("minimumTextHeight", .fraction, sets: \.reading.minimumTextHeight),
        StreamOption("regionOfInterest", .region, sets: \.reading.regionOfInterest),
        StreamOption("regions", .regions, sets: \.regions),
        StreamOption("languages", .languages, sets: \.reading.languages),
        StreamOption("candidates", .integer(ReadingOptions.candidateCounts), sets: \.reading.candidates),
        StreamOption("delivery", .choice, sets: \.delivery, isOfPicture: false),
        StreamOption("deadline_ms", .integer(Self.times), setsOptional: \.deadlineMilliseconds, isOfPicture: false),
        StreamOption(
            "clock_offset_us",
            .integer(Self.clockOffsets),
            setsOptional: \.clockOffsetMicroseconds,
            isOfPicture: false
        ),
        StreamOption("temporal", .flag, setsOptional: \.temporal, isOfPicture: false),
        StreamOption("refresh_ms", .integer(Self.times), sets: \.refreshMilliseconds, isOfPicture: false),
        StreamOption("find", .patterns, sets: \.find),
        StreamOption("report", .choice, sets: \.report, isOfPicture: false),
        StreamOption("customWords", .customWords, sets: \.reading.customWords),
        StreamOption("characterSet", .characterSet, sets: \.reading.allowedCharacters),
        StreamOption("languageCorrection", .flag, sets: \.reading.languageCorrection),
        StreamOption("unreadable", .choice, sets: \.reading.unreadable),
        StreamOption("upright", .choice, sets: \.reading.upright),
        StreamOption("damaged", .choice, sets: \.damaged),
    ]

    /// Milliseconds of a deadline or a refresh: up to an hour.
    private static let times = 1...3_600_000
    /// Microseconds: 285 years in either direction, which a double holds exactly.
    private static let clockOffsets = -(1 << 53)...(1 << 53)
    /// Lengths of a token in bytes.
    package static let tokenByteCounts = 1...4096
    /// Lengths of the name of a client or a region, in Unicode scalars.
    package static let nameLengths = 1...64
    /// Maximum number of ``ReadingOptions/languages``.
    static let maxLanguages = 32
    /// Maximum number of ``ReadingOptions/customWords``.
    static let maxCustomWords = 1000
    /// Lengths of a custom word in Unicode scalars.
    static let customWordLengths = 1...64
}
