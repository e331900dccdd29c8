internal import TextModel
package import TextSearch
public import NIOCore

extension StreamConfiguration {
    /// Parses the body of a `configure` message; an empty one sets every option to its default.
    ///
    /// - Parameters:
    ///   - body: A JSON object in UTF-8, or nothing.
    ///   - limits: The limits on its length.
    ///   - defaults: The values of options that the body omits.
    /// - Throws: ``WireError`` with ``WireError/Code/badConfiguration``, ``WireError/Code/unknownOption`` or
    ///   ``WireError/Code/badOption``; then nothing of the body takes effect.
    public init(
        json body: ByteBuffer,
        limits: WireLimits = WireLimits(),
        defaults: StreamConfiguration = StreamConfiguration()
    ) throws(WireError) {
        self = defaults
        guard body.readableBytes > 0 else { return }
        try Self.checkLength(body.readableBytes, limits: limits)
        try Self.checkEncoding(body)
        do {
            var options = OptionReader(reader: JSONReader(body), defaults: defaults, ignoresUnknown: false)
            self = try options.configuration()
            try options.reader.end()
        } catch let error as WireError {
            throw error
        } catch {
            throw WireError(
                .badConfiguration,
                "the configure body cannot be read: \(error); send one JSON object, such as {\"level\":\"fast\"}"
            )
        }
    }

    /// Checks the length of the body of a `configure` message.
    ///
    /// - Parameters:
    ///   - byteCount: The length.
    ///   - limits: The limits on it.
    /// - Throws: ``WireError`` with ``WireError/Code/badConfiguration``.
    package static func checkLength(_ byteCount: Int, limits: WireLimits) throws(WireError) {
        guard byteCount > limits.maxConfigureBytes else { return }
        throw WireError(
            .badConfiguration,
            "the configure body has \(byteCount) bytes, the limit is \(limits.maxConfigureBytes); "
                + "send only the options that differ from their defaults"
        )
    }

    /// Byte order marks of UTF-8 and of both orders of UTF-16.
    private static let byteOrderMarks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]

    /// Rejects a body that begins with a byte order mark, which no JSON does (RFC 8259, section 8.1).
    private static func checkEncoding(_ body: ByteBuffer) throws(WireError) {
        guard Self.byteOrderMarks.contains(where: { body.readableBytesView.starts(with: $0) }) else { return }
        throw WireError(
            .badConfiguration,
            "the configure body begins with a byte order mark; send UTF-8 without one"
        )
    }

    /// Serializes the configuration as the body of a `configure` message with all options.
    ///
    /// - Returns: A JSON object in UTF-8.
    public func json() -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeJSON { $0.object { self.writeMembers(into: &$0) } }
        return buffer
    }

    /// Parses the options that a server reports to be in effect; unknown ones are skipped, as are unknown values of a choice.
    init(echoedIn reader: inout JSONReader) throws(JSONError) {
        var options = OptionReader(reader: reader, defaults: StreamConfiguration(), ignoresUnknown: true)
        do {
            self = try options.configuration()
        } catch let error as JSONError {
            throw error
        } catch {
            throw reader.error("expected options: \(error)")
        }
        reader = options.reader
    }
}

/// Parser of a configuration's members, each by its own rule.
struct OptionReader {
    /// 285 years in either direction, which a double holds exactly.
    private static let clockOffsets = -(1 << 53)...(1 << 53)

    var reader: JSONReader
    /// Compiler of the patterns of all regions and of the stream.
    var compiler = PatternCompiler()
    /// Values of omitted options.
    let defaults: StreamConfiguration
    /// Whether unknown options are skipped, as needed for those of a newer server.
    let ignoresUnknown: Bool

    mutating func configuration() throws -> StreamConfiguration {
        var configuration = self.defaults
        var region: Region?
        var seen = Set<String>()
        try self.reader.beginObject()
        while let name = try self.reader.nextName() {
            guard seen.insert(name).inserted else {
                throw WireError(.badConfiguration, "the option \"\(name.shortened)\" is given twice; send it once")
            }
            switch StreamOption(rawValue: name) {
            case .token: configuration.token = try self.token()
            case .client: configuration.client = try self.name(name)
            case .level: try self.choice(name, into: &configuration.reading.level)
            case .recognize: configuration.reading.recognize = try self.bool(name)
            case .characters: configuration.reading.characters = try self.bool(name)
            case .coordinates: try self.choice(name, into: &configuration.coordinates)
            case .minimumTextHeight: configuration.reading.minimumTextHeight = try self.fraction(name)
            case .regionOfInterest: region = try self.region(name)
            case .regions: configuration.regions = try self.regions(name)
            case .languages: configuration.reading.languages = try self.languages(name)
            case .candidates: configuration.reading.candidates = try self.integer(name, 1...10)
            case .delivery: try self.choice(name, into: &configuration.delivery)
            case .deadline: configuration.deadlineMilliseconds = try self.integer(name, 1...3_600_000)
            case .clockOffset: configuration.clockOffsetMicroseconds = try self.integer(name, Self.clockOffsets)
            case .temporal: configuration.temporal = try self.bool(name)
            case .refresh: configuration.refreshMilliseconds = try self.integer(name, 1...3_600_000)
            case .customWords: configuration.reading.customWords = try self.customWords(name)
            case .characterSet: configuration.reading.allowedCharacters = try self.characterSet(name)
            case .languageCorrection: configuration.reading.languageCorrection = try self.bool(name)
            case .unreadable: try self.choice(name, into: &configuration.reading.unreadable)
            case .upright: try self.choice(name, into: &configuration.reading.upright)
            case .damaged: try self.choice(name, into: &configuration.damaged)
            case .find: configuration.find = try self.patterns(name)
            case .report: try self.choice(name, into: &configuration.report)
            case nil: try self.unknown(name, among: StreamOption.self, of: "options")
            }
        }
        let isFlipped = configuration.coordinates == .vision
        if let region { configuration.reading.regionOfInterest = isFlipped ? region.flipped() : region }
        if isFlipped, seen.contains(StreamOption.regions.rawValue) {
            configuration.regions = configuration.regions.map { $0.flipped() }
        }
        if !self.ignoresUnknown { try configuration.checkContradictions() }
        return configuration
    }

    /// Skips the value of a name that is not among `names`, or throws.
    mutating func unknown<Name: RawRepresentable & CaseIterable>(
        _ name: String,
        among names: Name.Type,
        of kind: String
    ) throws where Name.RawValue == String {
        guard self.ignoresUnknown else {
            let names = names.allCases.map(\.rawValue)
            let hint = Spelling.nearest(to: name, among: names).map { "did you mean \"\($0)\"? The" } ?? "the"
            throw WireError(
                .unknownOption,
                "there is no option \"\(name.shortened)\"; \(hint) \(kind) are \(names.joined(separator: ", "))"
            )
        }
        try self.reader.skipValue()
    }

    /// Parses a name of 1...64 characters on one line.
    mutating func name(_ name: String) throws -> String {
        let allowed = "a string of 1...64 characters without control characters and line separators"
        return try self.value(name, allowed: allowed) { reader in
            let text = try reader.string()
            return (1...64).contains(text.unicodeScalars.count) && !text.unicodeScalars.contains(where: \.isControl)
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

    private mutating func token() throws -> String {
        try self.value("token", allowed: "a string of 1...4096 bytes", isSecret: true) { reader in
            let token = try reader.string()
            return (1...4096).contains(token.utf8.count) ? token : nil
        }
    }

    /// Parses the raw value of one of a type's cases; an unknown one of a newer server changes nothing.
    private mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        into choice: inout Choice
    ) throws where Choice.RawValue == String {
        if self.ignoresUnknown {
            choice = Choice(rawValue: try self.reader.string()) ?? choice
        } else {
            let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }
            let allowed = choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
            choice = try self.value(name, allowed: allowed) { Choice(rawValue: try $0.string()) }
        }
    }

    private mutating func bool(_ name: String) throws -> Bool {
        try self.value(name, allowed: "true or false") { try $0.bool() }
    }

    mutating func fraction(_ name: String) throws -> Double {
        try self.value(name, allowed: "a number 0...1") { reader in
            let value = try reader.number()
            return (0...1).contains(value) ? value : nil
        }
    }

    private mutating func integer(_ name: String, _ allowed: ClosedRange<Int>) throws -> Int {
        try self.value(name, allowed: "a whole number \(allowed.lowerBound)...\(allowed.upperBound)") { reader in
            let value = try reader.integer()
            return allowed.contains(value) ? value : nil
        }
    }

    mutating func region(_ name: String) throws -> Region {
        let allowed =
            "[x, y, width, height] as fractions 0...1 of the upright picture, with width and height above 0, and x + width "
            + "and y + height at most 1"
        return try self.value(name, allowed: allowed) { reader in
            var numbers: [Double] = []
            try reader.beginArray()
            // Rounded as it is echoed, so that a client can send the echoed region back.
            while try reader.nextElement() {
                numbers.append(JSONBuilder.Precision.options.rounded(try reader.number()))
            }
            return Region(fractions: numbers)
        }
    }

    mutating func patterns(_ name: String) throws -> [TextPattern] {
        let allowed = "an array of at most 32 texts or regular expressions, such as [\"EXIT\", \"/[A-Z]{2} ?[0-9]+/\"]"
        return try self.strings(name, atMost: 32, allowed: allowed).map { source throws(WireError) in
            do throws(PatternError) {
                return try self.compiler.pattern(source)
            } catch {
                throw WireError(pattern: source, error)
            }
        }
    }

    private mutating func customWords(_ name: String) throws -> [String] {
        let allowed = "an array of at most 1000 words of 1...64 characters without spaces, such as [\"Bahnhofstraße\"]"
        return try self.strings(name, atMost: 1000, allowed: allowed) { word in
            (1...64).contains(word.unicodeScalars.count)
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
            var strings: [String] = []
            try reader.beginArray()
            while try reader.nextElement() { strings.append(try reader.string()) }
            return strings.count <= limit && strings.allSatisfy(isAllowed) ? strings : nil
        }
    }

    private mutating func languages(_ name: String) throws -> [String] {
        let allowed = "an array of at most 32 BCP 47 codes, such as [\"en\", \"zh-Hans\"]"
        return try self.strings(name, atMost: 32, allowed: allowed, where: \.isLanguageCode)
    }
}

extension String {
    /// Whether this has the form of a BCP 47 code: subtags of one to eight letters or digits, separated by hyphens.
    fileprivate var isLanguageCode: Bool {
        guard self.utf8.count <= 64 else { return false }
        return self.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
            (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }
}

extension WireError {
    /// Creates the error of a pattern in `find` that cannot be compiled.
    package init(pattern source: String, _ error: PatternError) {
        self.init(.badOption, "\"find\" holds \"\(source.shortened)\", but \(error.reason)")
    }
}
