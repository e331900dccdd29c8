internal import TextModel
internal import TextSearch

/// Rule for the values of options of one kind: their form in JSON, how they are parsed and how they are written.
struct OptionRule<Value: Sendable>: Sendable {
    /// Form in JSON.
    let form: StreamOption.Form
    /// Parses the value of the option with a name; `nil` for one of a choice that only a newer server has.
    let read: @Sendable (inout OptionReader, String) throws -> Value?
    /// Writes a value.
    let write: @Sendable (Value, inout JSONBuilder) -> Void
    /// The value for the picture upside down, as between Vision's coordinates and others.
    var flipped: @Sendable (Value) -> Value = { $0 }
}

extension OptionRule where Value == String {
    /// An access token.
    static var token: Self { Self(form: .string, read: { try $0.token($1) }, write: { $1.string($0) }) }

    /// A name on one line.
    static var name: Self { Self(form: .string, read: { try $0.name($1) }, write: { $1.string($0) }) }
}

extension OptionRule where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the cases of a type.
    static var choice: Self { Self(form: .string, read: { try $0.choice($1) }, write: { $1.string($0.rawValue) }) }
}

extension OptionRule where Value == Bool {
    /// Yes or no.
    static var flag: Self { Self(form: .literal, read: { try $0.bool($1) }, write: { $1.bool($0) }) }
}

extension OptionRule where Value == Int {
    /// A whole number in a range.
    static func integer(_ allowed: ClosedRange<Int>) -> Self {
        Self(form: .literal, read: { try $0.integer($1, allowed) }, write: { $1.integer($0) })
    }
}

extension OptionRule where Value == Double {
    /// A number from 0 to 1.
    static var fraction: Self {
        Self(form: .literal, read: { try $0.fraction($1) }, write: { $1.number($0, precision: .options) })
    }
}

extension OptionRule where Value == Region {
    /// A part of the picture.
    static var region: Self {
        Self(form: .numbers, read: { try $0.region($1) }, write: { $1.region($0) }, flipped: { $0.flipped() })
    }
}

extension OptionRule where Value == [StreamRegion] {
    /// Named parts of the picture.
    static var regions: Self {
        Self(
            form: .objects,
            read: { try $0.regions($1) },
            write: { regions, json in json.array { json in for region in regions { region.write(into: &json) } } },
            flipped: { regions in regions.map { $0.flipped() } }
        )
    }
}

extension OptionRule where Value == [String] {
    /// Codes of languages.
    static var languages: Self { Self(form: .words, read: { try $0.languages($1) }, write: { $1.strings($0) }) }

    /// Expected words.
    static var customWords: Self { Self(form: .words, read: { try $0.customWords($1) }, write: { $1.strings($0) }) }
}

extension OptionRule where Value == [TextPattern] {
    /// Texts and regular expressions.
    static var patterns: Self {
        Self(form: .texts, read: { try $0.patterns($1) }, write: { $1.strings($0.map(\.source)) })
    }
}

extension OptionRule where Value == AllowedCharacters? {
    /// Characters and ranges of them; the empty text is `nil`.
    static var characterSet: Self {
        Self(form: .string, read: { .some(try $0.characterSet($1)) }, write: { $1.string($0?.source ?? "") })
    }
}
