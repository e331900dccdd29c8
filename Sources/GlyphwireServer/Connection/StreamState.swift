internal import GlyphwireProtocol

/// State of a connection's stream: its options and, with `temporal`, its tracking state.
struct StreamState {
    /// Options for the next frames.
    var configuration: StreamConfiguration

    private var tracking: TrackingState?
    private let budget: MemoryBudget

    /// Creates the state of a stream before its first frame.
    ///
    /// - Parameters:
    ///   - configuration: The server's defaults.
    ///   - budget: The budget for tracking memory, shared by all streams.
    init(configuration: StreamConfiguration, budget: MemoryBudget) {
        self.configuration = configuration
        self.budget = budget
    }

    /// Tracking state for a frame that was received at `time`; `nil` where frames are not compared.
    mutating func tracking(at time: ContinuousClock.Instant) -> TrackingState? {
        guard self.configuration.isTemporal else {
            self.tracking = nil
            return nil
        }
        let tracking = self.tracking ?? TrackingState(start: time, budget: self.budget)
        self.tracking = tracking
        return tracking
    }

    /// Frees the tracking state.
    mutating func release() { self.tracking = nil }
}
