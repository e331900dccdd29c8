internal import GlyphwireProtocol

/// State of a connection's stream: the options in force and, with `temporal`, the memory of its frames.
struct StreamState {
    /// The options for the frames that follow.
    var configuration: StreamConfiguration

    private var memory: StreamMemory?
    private let budget: MemoryBudget

    /// A stream before its first frame.
    ///
    /// - Parameters:
    ///   - configuration: The server's defaults.
    ///   - budget: The memory for frames that later ones are compared with, shared by all streams.
    init(configuration: StreamConfiguration, budget: MemoryBudget) {
        self.configuration = configuration
        self.budget = budget
    }

    /// The memory for a frame that was received at `time`; `nil` where frames are not compared.
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
