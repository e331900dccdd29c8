public import TextModel
public import TextSearch

/// Options of a `configure` message, for all frames after it.
///
/// A later configuration replaces it as a whole: omitted options return to their defaults.
public struct StreamConfiguration: Sendable, Hashable {
    /// The access token of the server; never echoed, never logged.
    public var token: String?
    /// Name of the client in the server's logs, at most 64 characters.
    public var client: String?
    /// Coordinate space of boxes.
    public var coordinates: CoordinateSpace
    /// Treatment of frames that arrive faster than they are read.
    public var delivery: Delivery
    /// Milliseconds after which a waiting frame expires unread; `nil`, the default, for no deadline.
    public var deadlineMilliseconds: Int?
    /// Microseconds by which the server's clock is ahead of the capture clock; `nil`, the default, if unknown.
    public var clockOffsetMicroseconds: Int?
    /// Whether text is tracked from frame to frame, so that only changes are read.
    ///
    /// `nil`, the default, tracks where ``delivery`` is ``Delivery/live``, or ``report`` is ``ReportMode/changes``.
    public var temporal: Bool?
    /// Milliseconds after which a whole frame is scanned again even without changes; 2000 by default.
    public var refreshMilliseconds: Int
    /// Texts and regular expressions to search for, at most 32; none by default.
    public var find: [TextPattern]
    /// Whether results have all text or what has changed; all by default.
    public var report: ReportMode
    /// Treatment of frames with damaged data; rejected by default.
    public var damaged: DamagedFrames
    /// Named regions, at most 16, which are read instead of the rest of the picture; none by default.
    public var regions: [StreamRegion]
    /// Options for reading.
    public var reading: ReadingOptions

    /// Creates a configuration; each option has its default unless given.
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
        report: ReportMode = .all,
        damaged: DamagedFrames = .refuse,
        regions: [StreamRegion] = [],
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
        self.report = report
        self.damaged = damaged
        self.regions = regions
        self.reading = reading
    }

    /// Whether text is tracked from frame to frame, explicitly or by default.
    public var isTemporal: Bool { self.temporal ?? (self.delivery == .live || self.report == .changes) }

    /// Whether any text is searched for.
    package var searches: Bool { !self.find.isEmpty || self.regions.contains { !$0.find.isEmpty } }

    /// Patterns for the text of a region; `nil` for that of a stream without named regions.
    package func patterns(in region: String?) -> [TextPattern] {
        let own = region.flatMap { name in self.regions.first { $0.name == name }?.find } ?? []
        return own.isEmpty ? self.find : own
    }
}
