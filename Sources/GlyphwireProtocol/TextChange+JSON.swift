internal import TextModel

extension JSONBuilder {
    /// Writes the members of a text that all changes have.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - precision: The precision of its box.
    package mutating func members(of text: ObservedText, _ precision: Precision) {
        self.integer("id", text.id)
        self.string("text", text.text)
        if let confidence = text.confidence { self.number("confidence", confidence, precision: .confidence) }
        self.box(text.box, precision)
        if let region = text.region { self.string("region", region) }
    }

    /// Writes a change as an element of `changes`.
    mutating func change(_ change: TextChange, _ precision: Precision) {
        self.object { json in
            json.string("type", change.name)
            json.members(of: change.text, precision)
            if let pattern = change.text.pattern { json.integer("pattern", pattern) }
            if case .changed(_, let previous) = change { json.string("previous", previous) }
        }
    }
}

extension TextChange {
    /// Reads an element of `changes`; `nil` if its type is unknown, as one of a newer server.
    init?(from reader: inout JSONReader) throws(JSONError) {
        var (type, previous) = ("", "")
        var text = ObservedText(id: 0, text: "", confidence: nil, box: .zero)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "type": type = try reader.string()
            case "id": text.id = try reader.unsignedInteger()
            case "text": text.text = try reader.string()
            case "confidence": text.confidence = Float(try reader.number())
            case "box": text.box = try Quad(from: &reader)
            case "pattern": text.pattern = try reader.integer()
            case "region": text.region = try reader.string()
            case "previous": previous = try reader.string()
            default: try reader.skipValue()
            }
        }
        switch type {
        case "appeared": self = .appeared(text)
        case "changed": self = .changed(text, previous: previous)
        case "lost": self = .lost(text)
        default: return nil
        }
    }
}
