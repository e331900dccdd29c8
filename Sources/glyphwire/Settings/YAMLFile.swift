internal import GlyphwireProtocol
internal import SystemSupport
internal import Yams

/// File in YAML.
enum YAMLFile {
    /// Reads a file with one document.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The root; `nil` if there are only comments.
    /// - Throws: ``Failure`` if the file cannot be read or is no YAML, with the line.
    static func read(_ path: String) throws(Failure) -> Node? {
        let bytes = try SmallFile.contents(of: path)
        do {
            return try compose(yaml: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw Failure("The file \(path) is no YAML: \(self.reason(error)).")
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "\(problem) in line \(mark.line)"
        case .reader(let problem, _, _, _): problem
        case .duplicatedKeysInMapping(let duplicates, _):
            "it has \(duplicates.joined(separator: " and ")) twice"
        default: "\(error)"
        }
    }
}

extension Node {
    /// Line of the node, as it follows the name of a file.
    var place: String { self.mark.map { ", line \($0.line)" } ?? "" }
}

extension JSONBuilder {
    /// Writes a node of YAML by the core schema of YAML 1.2 (https://yaml.org/spec/1.2.2/, 10.3).
    ///
    /// The schema of YAML 1.1 would change texts that people look for: it reads `no` as a truth value, and `12:30` as a
    /// number to the base 60.
    mutating func yaml(_ node: Node) {
        switch node {
        case .scalar(let scalar) where scalar.style == .plain && Self.isLiteral(scalar.string):
            self.raw(scalar.string)
        case .scalar(let scalar) where scalar.style == .plain && ["", "~"].contains(scalar.string):
            self.raw("null")
        case .scalar(let scalar): self.string(scalar.string)
        case .sequence(let sequence): self.array { json in for node in sequence { json.yaml(node) } }
        case .mapping(let mapping):
            self.object { json in
                for (key, value) in mapping {
                    json.name(key.string ?? "")
                    json.yaml(value)
                }
            }
        case .alias: self.raw("null")
        }
    }

    /// Whether a plain scalar means the same in JSON.
    private static func isLiteral(_ text: String) -> Bool {
        ["true", "false", "null"].contains(text)
            || text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
    }
}
