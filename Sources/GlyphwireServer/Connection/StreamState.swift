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

    /// Tracking state for the next frame; `nil` where frames are not compared.
    mutating func trackingState() -> TrackingState? {
        guard self.configuration.isTemporal else {
            self.tracking = nil
            return nil
        }
        let tracking = self.tracking ?? TrackingState(budget: self.budget)
        self.tracking = tracking
        return tracking
    }

    /// Frees the tracking state.
    mutating func release() { self.tracking = nil }
}
