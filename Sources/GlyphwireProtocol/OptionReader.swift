internal import TextModel
package import TextSearch

/// Parser of a configuration's members, each by its own rule.
struct OptionReader {
    /// Maximum length of the code of a language: RFC 5646, section 4.4.1, recommends room for 35 bytes.
    fileprivate static let maxLanguageCodeBytes = 64
    /// Lengths of a subtag of a language (RFC 5646, section 2.1).
    fileprivate static let subtagLengths = 1...8

    var reader: JSONReader
    /// Compiler of the patterns of all regions and of the stream.
    var compiler = PatternCompiler()
    /// Values of omitted options.
    let defaults: StreamConfiguration
    /// Whether unknown options are skipped, as needed for those of a newer server.
    let ignoresUnknown: Bool

    mutating func configuration() throws -> StreamConfiguration {
        var configuration = self.defaults
        var given: [StreamOption] = []
        var seen = Set<String>()
        try self.reader.beginObject()
        while let name = try self.reader.nextName() {
            guard seen.insert(name).inserted else {
                throw WireError(.badConfiguration, "the option \"\(name.shortened)\" is given twice; send it once")
            }
            guard let option = StreamOption.all.first(where: { $0.name == name }) else {
                try self.unknown(name, among: StreamOption.all.map(\.name), of: "options")
                continue
            }
            try option.read(&self, &configuration)
            given.append(option)
        }
        // The coordinates may come after what is in them.
        if configuration.coordinates == .vision {
            for option in given { option.flip(&configuration) }
        }
        if !self.ignoresUnknown { try configuration.checkContradictions() }
        return configuration
    }

    /// Skips the value of a name that is not among `names`, or throws.
    mutating func unknown(_ name: String, among names: [String], of kind: String) throws {
        guard self.ignoresUnknown else {
            throw WireError(unknownOption: name, among: names, of: kind)
        }
        try self.reader.skipValue()
    }

    /// Parses a name on one line.
    mutating func name(_ name: String) throws -> String {
        let lengths = StreamOption.nameLengths
        let allowed = "a string of \(lengths) characters without control characters and line separators"
        return try self.value(name, allowed: allowed) { reader in
            let text = try reader.string()
            return lengths.contains(text.unicodeScalars.count) && !text.unicodeScalars.contains(where: \.isControl)
                ? text : nil
        }
    }

    /// Parses one value, or throws an error with its text and the allowed values.
    ///
    /// - Parameters:
    ///   - name: The option.
    ///   - allowed: A description of its allowed values.
    ///   - isSecret: Whether the value is kept out of the error.
    ///   - read: Parses the value; returns `nil` or throws if it is not allowed.
    /// - Returns: The value.
    /// - Throws: ``WireError`` with ``WireError/Code/badOption``, or ``JSONError`` where there is no value.
    mutating func value<Value>(
        _ name: String,
        allowed: String,
        isSecret: Bool = false,
        _ read: (inout JSONReader) throws -> Value?
    ) throws -> Value {
        var attempt = self.reader
        guard let value = try? read(&attempt) else {
            throw try self.refusal(of: name, allowed: allowed, isSecret: isSecret)
        }
        self.reader = attempt
        return value
    }

    /// Skips a value that is not allowed, and returns its error.
    mutating func refusal(of name: String, allowed: String, isSecret: Bool = false) throws(JSONError) -> WireError {
        let text = try self.reader.rawValue()
        let found = isSecret ? "not" : "\(text.shortened), which is not"
        return WireError(.badOption, "\"\(name)\" is \(found) allowed; send \(allowed)")
    }

    mutating func token(_ name: String) throws -> String {
        let lengths = StreamOption.tokenByteCounts
        return try self.value(name, allowed: "a string of \(lengths) bytes", isSecret: true) { reader in
            let token = try reader.string()
            return lengths.contains(token.utf8.count) ? token : nil
        }
    }

    /// Parses the raw value of one of a type's cases; `nil` for one that only a newer server has.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws -> Choice? where Choice.RawValue == String {
        guard !self.ignoresUnknown else { return Choice(rawValue: try self.reader.string()) }
        let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }
        let allowed = choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
        let choice: Choice = try self.value(name, allowed: allowed) { Choice(rawValue: try $0.string()) }
        return choice
    }

    mutating func bool(_ name: String) throws -> Bool {
        try self.value(name, allowed: "true or false") { try $0.bool() }
    }

    mutating func fraction(_ name: String) throws -> Double {
        try self.value(name, allowed: "a number 0...1") { reader in
            let value = try reader.number()
            return (0...1).contains(value) ? value : nil
        }
    }

    mutating func integer(_ name: String, _ allowed: ClosedRange<Int>) throws -> Int {
        try self.value(name, allowed: "a whole number \(allowed)") { reader in
            let value = try reader.integer()
            return allowed.contains(value) ? value : nil
        }
    }

    mutating func region(_ name: String) throws -> Region {
        let allowed =
            "[x, y, width, height] as fractions 0...1 of the upright picture, with width and height above 0, and x + width "
            + "and y + height at most 1"
        return try self.value(name, allowed: allowed) { Region(fractions: try $0.fractions()) }
    }

    mutating func patterns(_ name: String) throws -> [TextPattern] {
        let limit = PatternCompiler.maxPatterns
        let allowed =
            "an array of at most \(limit) texts or regular expressions, such as [\"EXIT\", \"/[A-Z]{2} ?[0-9]+/\"]"
        return try self.strings(name, atMost: limit, allowed: allowed).map { source throws(WireError) in
            do throws(PatternError) {
                return try self.compiler.pattern(source)
            } catch {
                throw WireError(pattern: source, error)
            }
        }
    }

    mutating func customWords(_ name: String) throws -> [String] {
        let (limit, lengths) = (StreamOption.maxCustomWords, StreamOption.customWordLengths)
        let allowed =
            "an array of at most \(limit) words of \(lengths) characters without spaces, such as [\"Bahnhofstraße\"]"
        return try self.strings(name, atMost: limit, allowed: allowed) { word in
            lengths.contains(word.unicodeScalars.count)
                && word.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !$0.isControl }
        }
    }

    mutating func characterSet(_ name: String) throws -> AllowedCharacters? {
        let allowed =
            "a string of at most \(AllowedCharacters.maxScalars) characters and ranges, such as \"0-9.\" or \"A-Z0-9-\", each "
            + "range from an earlier to a later character, and with a character behind each backslash"
        return try self.value(name, allowed: allowed) { reader -> AllowedCharacters?? in
            let source = try reader.string()
            if source.isEmpty { return .some(nil) }
            return AllowedCharacters(source).map { .some($0) }
        }
    }

    private mutating func strings(
        _ name: String,
        atMost limit: Int,
        allowed: String,
        where isAllowed: (String) -> Bool = { _ in true }
    ) throws -> [String] {
        try self.value(name, allowed: allowed) { reader in
            let strings = try reader.strings()
            return strings.count <= limit && strings.allSatisfy(isAllowed) ? strings : nil
        }
    }

    mutating func languages(_ name: String) throws -> [String] {
        let limit = StreamOption.maxLanguages
        let allowed = "an array of at most \(limit) BCP 47 codes, such as [\"en\", \"zh-Hans\"]"
        return try self.strings(name, atMost: limit, allowed: allowed, where: \.isLanguageCode)
    }
}

extension String {
    /// Whether this has the form of a BCP 47 code: subtags of one to eight letters or digits, separated by hyphens.
    fileprivate var isLanguageCode: Bool {
        guard self.utf8.count <= OptionReader.maxLanguageCodeBytes else { return false }
        return self.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
            OptionReader.subtagLengths.contains(part.utf8.count)
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }
}

extension WireError {
    /// Creates the error of an option that is not among `names`, with the one that is meant where that is plain.
    package init(unknownOption name: String, among names: [String], of kind: String) {
        let hint = Spelling.nearest(to: name, among: names).map { "did you mean \"\($0)\"? The" } ?? "the"
        self.init(
            .unknownOption,
            "there is no option \"\(name.shortened)\"; \(hint) \(kind) are \(names.joined(separator: ", "))"
        )
    }

    /// Creates the error of a pattern in `find` that cannot be compiled.
    package init(pattern source: String, _ error: PatternError) {
        self.init(.badOption, "\"find\" holds \"\(source.shortened)\", but \(error.reason)")
    }
}
