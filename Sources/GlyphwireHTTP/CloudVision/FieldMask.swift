internal import GlyphwireProtocol

/// Mask of the members of a response to return, from Google's system parameter `fields`.
///
/// ```
/// responses.fullTextAnnotation.text
/// responses(textAnnotations(description,boundingPoly/vertices),error)
/// ```
///
/// Commas separate members, dots or slashes descend into one, parentheses select several of one, and `*` matches any. A
/// mask applies to all elements of an array. Names may be `fullTextAnnotation` or `full_text_annotation`.
struct FieldMask: Sendable, Hashable {
    /// Syntax error of a mask.
    struct Failure: Error, Hashable {
        let message: String
    }

    /// Maximum nesting depth.
    private static let maxDepth = 24

    /// Selected members with their masks; empty for the whole value.
    private(set) var members: [String: FieldMask] = [:]

    /// Mask of a whole value.
    static let whole = FieldMask(members: [:])

    private init(members: [String: FieldMask]) {
        self.members = members
    }

    /// Parses a mask.
    ///
    /// - Parameters:
    ///   - text: The parameter's value.
    ///   - schema: The members that exist.
    /// - Throws: The syntax error with its position, or the unknown member.
    init(_ text: String, schema: FieldSchema) throws(Failure) {
        var parser = Parser(text: Array(text))
        self = try parser.list(schema, path: [])
        if !parser.isAtEnd { throw parser.failure("a comma or the end") }
    }

    /// Whether the whole value is selected.
    var isWhole: Bool { self.members.isEmpty }

    /// Mask of a member; `nil` if it is not selected.
    subscript(name: String) -> FieldMask? {
        guard !self.isWhole else { return .whole }
        guard let any = self.members["*"] else { return self.members[name] }
        return self.members[name].map(any.union) ?? any
    }

    private func union(_ other: FieldMask) -> FieldMask {
        guard !self.isWhole, !other.isWhole else { return .whole }
        return FieldMask(members: self.members.merging(other.members) { $0.union($1) })
    }
}

extension FieldMask {
    /// Parser of a mask.
    private struct Parser {
        let text: [Character]
        var offset = 0

        var isAtEnd: Bool { self.offset == self.text.count }

        /// Parses members separated by commas.
        mutating func list(_ schema: FieldSchema, path: [String]) throws(Failure) -> FieldMask {
            var members: [String: FieldMask] = [:]
            repeat {
                let (name, mask) = try self.member(schema, path: path)
                members[name] = members[name]?.union(mask) ?? mask
            } while self.take(",")
            return FieldMask(members: members)
        }

        /// Parses one member with its mask.
        private mutating func member(
            _ schema: FieldSchema,
            path: [String]
        ) throws(Failure) -> (String, FieldMask) {
            guard path.count < FieldMask.maxDepth else {
                throw self.failure("no more than \(FieldMask.maxDepth) levels")
            }
            let name = try self.name()
            guard let inner = schema[name] else {
                let parent = path.isEmpty ? "the response" : path.joined(separator: ".")
                throw Failure(message: "\(parent) has no member \"\(name)\".")
            }
            let path = path + [name]
            if self.take(".") || self.take("/") {
                let (name, mask) = try self.member(inner, path: path)
                return (path[path.count - 1], FieldMask(members: [name: mask]))
            }
            guard self.take("(") else { return (name, .whole) }
            let mask = try self.list(inner, path: path)
            guard self.take(")") else { throw self.failure("a comma or \")\"") }
            return (name, mask)
        }

        /// Parses a name into camel case, as in Google's JSON.
        private mutating func name() throws(Failure) -> String {
            self.skipSpaces()
            if self.take("*") { return "*" }
            var name = ""
            var isWordStart = false
            while self.offset < self.text.count, name.count < 64 {
                let character = self.text[self.offset]
                guard character == "_" || character.isASCII && (character.isLetter || character.isNumber) else { break }
                self.offset += 1
                if character == "_" {
                    isWordStart = true
                } else {
                    name += isWordStart ? character.uppercased() : String(character)
                    isWordStart = false
                }
            }
            guard !name.isEmpty else { throw self.failure("the name of a member") }
            return name
        }

        private mutating func take(_ character: Character) -> Bool {
            self.skipSpaces()
            guard self.offset < self.text.count, self.text[self.offset] == character else { return false }
            self.offset += 1
            return true
        }

        private mutating func skipSpaces() {
            while self.offset < self.text.count, self.text[self.offset] == " " { self.offset += 1 }
        }

        func failure(_ expected: String) -> Failure {
            let found = self.isAtEnd ? "the end" : "\"\(String(self.text[self.offset]).shortened)\""
            return Failure(message: "expected \(expected) at character \(self.offset + 1), found \(found).")
        }
    }
}
