/// What makes the script of a line more or less probable than the line by itself.
enum ScriptPrior {
    /// Nothing.
    case none
    /// The languages that a client names.
    case languages
    /// The scripts of the frame's other lines.
    case lines
}
