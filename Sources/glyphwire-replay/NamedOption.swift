internal import ArgumentParser
internal import GlyphwireReplay

/// Option of `configure` with its value, as JSON or as a string without quotes.
struct NamedOption: ExpressibleByArgument {
    let name: String
    let value: JSONText

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        let text = String(argument[argument.index(after: equals)...])
        self.name = String(argument[..<equals])
        self.value = JSONText(text) ?? .string(text)
    }
}
