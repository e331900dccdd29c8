internal import TextModel

/// What the reader of a script makes of a line.
enum ScriptLineReading {
    /// The line.
    case line(TextLine)
    /// Little, before it is known whether the frame's other lines speak against the script.
    case undecided
    /// No reading that counts.
    case nothing
}
