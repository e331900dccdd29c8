/// Type of a client's message.
public enum MessageType: UInt8, Sendable, CaseIterable {
    /// A picture to read.
    case frame = 1
    /// A JSON object with options for the frames after it.
    case configure = 2
    /// A request for a `pong` line.
    case ping = 3
    /// The client sends nothing more and waits for the remaining results.
    case end = 4
    /// A request for a `stats` line.
    case stats = 5

    /// All types with their numbers, as errors list them.
    static var list: String { Self.allCases.map { "\($0.rawValue) \($0)" }.joined(separator: ", ") }

    /// Whether messages of the type have a payload; that of others is ignored.
    package var hasPayload: Bool {
        switch self {
        case .frame, .configure: true
        case .ping, .end, .stats: false
        }
    }

    /// Name in the `features` of a `hello` if older servers of this protocol version lack the type.
    package var feature: String? {
        switch self {
        case .stats: "stats"
        case .frame, .configure, .ping, .end: nil
        }
    }
}
