import Foundation

/// Parsed Protocol.md.
struct ProtocolDocument {
    /// A message in hexadecimal and the line that answers it.
    struct Example: Sendable {
        var bytes: [UInt8]
        var answer: String
    }

    let text: String

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol.md")
        self.text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
    }

    /// The contents of all code blocks marked as `language`.
    func blocks(of language: String) -> [String] {
        self.text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap { rest in
            rest.components(separatedBy: "\n```").first
        }
    }

    /// Every block of hexadecimal, and the JSON after it.
    var examples: [Example] {
        zip(self.blocks(of: "hex"), self.blocks(of: "json").dropFirst()).map { hex, json in
            let bytes = hex.split(separator: "\n").flatMap { line in
                // After two spaces there is a comment.
                (line.components(separatedBy: "  ").first ?? "").split(separator: " ").compactMap {
                    UInt8($0, radix: 16)
                }
            }
            return Example(bytes: bytes, answer: json + "\n")
        }
    }

    /// The cells of every row of every table.
    var rows: [[String]] {
        self.text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
