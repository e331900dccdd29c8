/// What a `configure` message says: the options for all frames after it.
///
/// A configuration is whole: one that comes later replaces it, and what the later one leaves out is back at its default.
public struct StreamConfiguration: Sendable, Hashable {
    /// What the server asks for before it serves; never echoed, never logged.
    public var token: String?
    /// A name for the server's logs, at most 64 characters.
    public var client: String?
    /// What the numbers of the boxes mean.
    public var coordinates: CoordinateSpace
    /// What to look for and how.
    public var reading: ReadingOptions

    /// A configuration, each option at its default unless given.
    public init(
        token: String? = nil,
        client: String? = nil,
        coordinates: CoordinateSpace = .sent,
        reading: ReadingOptions = ReadingOptions()
    ) {
        self.token = token
        self.client = client
        self.coordinates = coordinates
        self.reading = reading
    }
}
