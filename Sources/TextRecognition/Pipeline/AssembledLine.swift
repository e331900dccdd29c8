internal import TextModel

/// Line of text with the characters that the rest of the frame may decide.
struct AssembledLine {
    var line: TextLine
    /// Separators in numbers, in reading order.
    let separators: [NumberSeparator]
}
