internal import GlyphwireProtocol

/// State of a connection's stream: its options and, with `temporal`, its tracking memory.
struct StreamState {
    /// Options for the next frames.
    var configuration: StreamConfiguration

    private var memory: StreamMemory?
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

    /// Memory for a frame that was received at `time`; `nil` where frames are not compared.
    mutating func memory(at time: ContinuousClock.Instant) -> StreamMemory? {
        guard self.configuration.isTemporal else {
            self.memory = nil
            return nil
        }
        let memory = self.memory ?? StreamMemory(start: time, budget: self.budget)
        self.memory = memory
        return memory
    }

    /// Frees the memory.
    mutating func release() { self.memory = nil }
}
