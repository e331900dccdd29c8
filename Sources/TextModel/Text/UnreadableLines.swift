/// Treatment of lines in scripts that the models cannot read.
public enum UnreadableLines: String, Sendable, CaseIterable {
    /// They are reported with their boxes and script, without text. The default.
    case report
    /// They are omitted.
    case omit
}
