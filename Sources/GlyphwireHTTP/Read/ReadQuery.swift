internal import Foundation
internal import GlyphwireProtocol
internal import NIOCore
internal import TextModel

/// Options of a request to read pictures, in its query.
///
/// They are those of a `configure` that concern one picture, with the same names and rules, and the orientation.
struct ReadQuery {
    /// The options of a `configure`, in the order of errors.
    private static let options = StreamOption.all.filter(\.isOfPicture) + [StreamOption.client]
    private static let orientationName = "orientation"
    private static let streamName = "stream"
    private static let names = Self.options.map(\.name) + [Self.orientationName, Self.streamName]

    /// The options.
    private(set) var configuration: StreamConfiguration
    /// The orientation of the pictures; 0 takes it from the files.
    private(set) var orientation: UInt8 = 0
    /// The name of the stream that the picture is a frame of; `nil` if it is read on its own.
    private(set) var stream: String?

    /// Parses a query.
    ///
    /// - Parameters:
    ///   - query: The text behind the question mark.
    ///   - defaults: The options in force where the query says nothing.
    ///   - limits: The limit of the options together.
    /// - Throws: ``WireError`` with the code that a `configure` would get.
    init(_ query: String, defaults: StreamConfiguration, limits: WireLimits) throws(WireError) {
        var values: [String: [String]] = [:]
        for (name, value) in Self.pairs(of: query) where !AccessMiddleware.tokenParameters.contains(name) {
            guard Self.names.contains(name) else { throw Self.unknown(name) }
            values[name, default: []].append(value)
        }
        if let texts = values.removeValue(forKey: Self.orientationName) {
            self.orientation = try Self.orientation(of: texts)
        }
        if let texts = values.removeValue(forKey: Self.streamName) { self.stream = try Self.stream(of: texts) }
        var json = ByteBuffer()
        json.writeJSON { json in
            json.object { json in
                for option in Self.options {
                    guard let texts = values[option.name] else { continue }
                    // Texts of a list are repeated; any other name that is there twice is an error of a configure, too.
                    let members = option.form == .texts ? [texts] : texts.map { [$0] }
                    for texts in members {
                        json.name(option.name)
                        Self.write(texts, as: option.form, into: &json)
                    }
                }
            }
        }
        self.configuration = try StreamConfiguration(json: json, limits: limits, defaults: defaults)
    }

    /// The error of an option that does not exist, with the one that is meant where that is plain.
    static func unknown(_ name: String) -> WireError {
        WireError(unknownOption: name, among: Self.names, of: "options of a picture")
    }

    /// Whether `name` is that of an option.
    static func isOption(_ name: String) -> Bool { Self.names.contains(name) }

    /// Writes the value of an option from its texts in the query: one, or any number of a list of texts.
    private static func write(_ texts: [String], as form: StreamOption.Form, into json: inout JSONBuilder) {
        let text = texts.first ?? ""
        switch form {
        case .string: json.string(text)
        case .literal: Self.writeLiteral(text, into: &json)
        case .objects: Self.writeJSON(text, into: &json)
        case .texts: json.strings(texts)
        case .words:
            // A word may begin with a combining mark, which would make one character with the comma.
            json.strings(text.unicodeScalars.split(separator: ",").map { String($0) })
        case .numbers:
            json.array { json in
                for item in text.split(separator: ",", omittingEmptySubsequences: false) {
                    Self.writeLiteral(String(item), into: &json)
                }
            }
        }
    }

    /// Writes a number, `true` or `false` as they are, and anything else as a string, which the option then refuses.
    private static func writeLiteral(_ text: String, into json: inout JSONBuilder) {
        let isLiteral =
            text == "true" || text == "false" || text.wholeMatch(of: /-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?/) != nil
        if isLiteral { json.raw(text) } else { json.string(text) }
    }

    /// Writes one value as it is, and anything else as a string, which the option then refuses.
    private static func writeJSON(_ text: String, into json: inout JSONBuilder) {
        var reader = JSONReader(ByteBuffer(string: text))
        do {
            let value = try reader.rawValue()
            try reader.end()
            json.raw(value)
        } catch {
            json.string(text)
        }
    }

    private static func orientation(of texts: [String]) throws(WireError) -> UInt8 {
        guard texts.count == 1, let value = UInt8(texts[0]), value <= 8 else {
            let values = Self.quoted(texts, of: Self.orientationName)
            throw WireError(.badOrientation, "\(values); send one number from 0 to 8")
        }
        return value
    }

    private static func stream(of texts: [String]) throws(WireError) -> String {
        guard texts.count == 1, texts[0].wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil else {
            throw WireError(
                .badOption,
                "\(Self.quoted(texts, of: Self.streamName)); send one name of 1 to 64 letters, digits, \"-\" and \"_\""
            )
        }
        return texts[0]
    }

    /// The values of an option as an error names them, the first two of many.
    private static func quoted(_ texts: [String], of name: String) -> String {
        "\"\(name)\" is " + texts.prefix(2).map { "\"\($0.shortened)\"" }.joined(separator: " and ")
    }

    private static func pairs(of query: String) -> [(name: String, value: String)] {
        query.unicodeScalars.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// The text of a part of a query; `+` is a space, as forms have it.
    private static func decoded(_ text: Substring.UnicodeScalarView) -> String {
        let spaced = String(text.replacing("+".unicodeScalars, with: " ".unicodeScalars))
        return spaced.removingPercentEncoding ?? spaced
    }
}
