public import TextModel
public import TextSearch

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
    /// What becomes of frames that come faster than they are read.
    public var delivery: Delivery
    /// Milliseconds after which a frame that no worker has begun is answered without being read; `nil`, the default, for
    /// none.
    public var deadlineMilliseconds: Int?
    /// Microseconds by which the server's clock is ahead of the one that frames are stamped by; `nil`, the default, if
    /// unknown.
    public var clockOffsetMicroseconds: Int?
    /// Whether frames are compared with those before them, so that what did not change is not read again; `nil`, the
    /// default, for where ``delivery`` is ``Delivery/live``.
    public var temporal: Bool?
    /// Milliseconds after which a whole frame is scanned again, however little has changed; 2000 by default.
    public var refreshMilliseconds: Int
    /// Texts and regular expressions to search the text for, at most 32; none by default.
    public var find: [TextPattern]
    /// Treatment of frames with damaged data; rejected by default.
    public var damaged: DamagedFrames
    /// What to read and how.
    public var reading: ReadingOptions

    /// A configuration, each option at its default unless given.
    public init(
        token: String? = nil,
        client: String? = nil,
        coordinates: CoordinateSpace = .sent,
        delivery: Delivery = .live,
        deadlineMilliseconds: Int? = nil,
        clockOffsetMicroseconds: Int? = nil,
        temporal: Bool? = nil,
        refreshMilliseconds: Int = 2000,
        find: [TextPattern] = [],
        damaged: DamagedFrames = .refuse,
        reading: ReadingOptions = ReadingOptions()
    ) {
        self.token = token
        self.client = client
        self.coordinates = coordinates
        self.delivery = delivery
        self.deadlineMilliseconds = deadlineMilliseconds
        self.clockOffsetMicroseconds = clockOffsetMicroseconds
        self.temporal = temporal
        self.refreshMilliseconds = refreshMilliseconds
        self.find = find
        self.damaged = damaged
        self.reading = reading
    }

    /// Whether frames are compared with those before them, said or not.
    public var isTemporal: Bool { self.temporal ?? (self.delivery == .live) }
}
