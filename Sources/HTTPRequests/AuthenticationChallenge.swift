/// Challenge in a `WWW-Authenticate` header (RFC 9110, section 11.3).
struct AuthenticationChallenge: Equatable {
    /// Scheme in lower case.
    let scheme: String
    /// Parameters by their names in lower case.
    var parameters: [String: String] = [:]

    /// The challenges of a header, which are separated by commas as their parameters are.
    static func all(in header: String) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        for item in self.items(of: header) {
            var item = item[...]
            // A parameter with a scheme in front begins another challenge.
            let head = item.prefix { $0 != " " && $0 != "=" && $0 != "\"" }
            if head.endIndex == item.endIndex || item[head.endIndex] == " " {
                challenges.append(AuthenticationChallenge(scheme: head.lowercased()))
                item = item[head.endIndex...]
            }
            guard let equals = item.firstIndex(of: "="), let last = challenges.indices.last else { continue }
            let name = item[..<equals].filter { $0 != " " }.lowercased()
            challenges[last].parameters[name] = self.unquoted(item[item.index(after: equals)...])
        }
        return challenges
    }

    /// Parts of a header between commas that are not in quotes.
    private static func items(of header: String) -> [String] {
        var (items, isQuoted, isEscaped) = ([""], false, false)
        for character in header {
            if character == ",", !isQuoted {
                items.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            if items[items.count - 1].isEmpty, character == " " { continue }
            items[items.count - 1].append(character)
        }
        return items.filter { !$0.isEmpty }
    }

    private static func unquoted(_ text: Substring) -> String {
        let text = text.drop { $0 == " " }
        guard text.first == "\"" else { return String(text.prefix { $0 != " " }) }
        var (value, isEscaped) = ("", false)
        for character in text.dropFirst() {
            if !isEscaped, character == "\"" { break }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { value.append(character) }
        }
        return value
    }
}
