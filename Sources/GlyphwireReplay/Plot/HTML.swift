/// HTML generation.
enum HTML {
    /// Escapes `text` for HTML.
    static func text(_ text: String) -> String {
        var safe = ""
        safe.reserveCapacity(text.utf8.count)
        for character in text {
            switch character {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            default: safe.append(character)
            }
        }
        return safe
    }

    /// Table of text cells, with the name of each row first.
    static func table(header: [String], rows: [[String]]) -> String {
        let head = header.map { "<th>\(Self.text($0))</th>" }.joined()
        let body = rows.map { row in
            let cells = row.enumerated().map { index, cell in
                index == 0 ? "<th scope=\"row\">\(Self.indented(cell))</th>" : "<td>\(Self.text(cell))</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return """
            <div class="scroll"><table><thead><tr>\(head)</tr></thead>
            <tbody>\(body.joined(separator: "\n"))</tbody></table></div>
            """
    }

    /// Name with its leading spaces as indentation.
    private static func indented(_ text: String) -> String {
        let depth = text.prefix { $0 == " " }.count / 2
        return "<span style=\"padding-left:\(depth)em\">\(Self.text(String(text.drop { $0 == " " })))</span>"
    }
}
