extension JSONReader {
    /// Parses the raw value of an enumeration's case.
    mutating func choice<Choice: RawRepresentable>(_: Choice.Type = Choice.self) throws(JSONError) -> Choice
    where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try self.string()) else {
            throw self.error("expected one of the values of \(Choice.self) before here")
        }
        return choice
    }

    /// Parses the members of an object one by one.
    mutating func members(
        _ read: (String, inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try self.beginObject()
        while let name = try self.nextName() { try read(name, &self) }
    }

    /// Parses an array element by element.
    mutating func array<Element>(
        of element: (inout JSONReader) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        var elements: [Element] = []
        try self.beginArray()
        while try self.nextElement() { elements.append(try element(&self)) }
        return elements
    }

    /// Parses an array of strings.
    mutating func strings() throws(JSONError) -> [String] {
        try self.array { reader throws(JSONError) in try reader.string() }
    }

    /// Parses an array of fractions, rounded as they are echoed, so that a client can send them back.
    mutating func fractions() throws(JSONError) -> [Double] {
        try self.array { reader throws(JSONError) in JSONBuilder.Precision.options.rounded(try reader.number()) }
    }
}
