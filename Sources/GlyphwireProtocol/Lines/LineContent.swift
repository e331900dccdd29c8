/// Content of a line of one type, as a ``ServerLine`` has it.
protocol LineContent {
    /// Type of the line.
    static var lineType: LineType { get }

    /// Parses the object of a line; unknown members are skipped, and so is `type`.
    init(from reader: inout JSONReader) throws(JSONError)

    /// Writes the members behind `type`, in a fixed order.
    func writeMembers(into json: inout JSONBuilder)
}
