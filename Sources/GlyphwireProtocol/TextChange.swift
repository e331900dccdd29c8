/// Change of a text from one result of a stream to the next.
public enum TextChange: Sendable, Hashable {
    /// The text was not there before.
    case appeared(ObservedText)
    /// The text in this place reads differently now.
    case changed(ObservedText, previous: String)
    /// The text is no longer there; it is given as it was last seen.
    case lost(ObservedText)

    /// The text that appeared, changed or was lost.
    public var text: ObservedText {
        switch self {
        case .appeared(let text), .changed(let text, _), .lost(let text): text
        }
    }

    /// Value of `type` in JSON.
    package var name: String {
        switch self {
        case .appeared: "appeared"
        case .changed: "changed"
        case .lost: "lost"
        }
    }
}
