internal import ArgumentParser
internal import FoundationEssentials
internal import GlyphwireReplay

/// An option of `configure` with its value: JSON, or a text that is none.
struct NamedOption: ExpressibleByArgument {
    let name: String
    let value: JSONValue

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        let text = argument[argument.index(after: equals)...]
        self.name = String(argument[..<equals])
        self.value = (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) ?? .string(String(text))
    }
}
