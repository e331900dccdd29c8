internal import FramePipeline

extension SystemMemory {
    /// Bytes that networks may take where nothing else is said: what several cameras keep in use, but no more than half of
    /// what the system gives.
    ///
    /// - Parameter workers: How many threads run them.
    /// - Returns: Bytes.
    static func forNetworks(workers: Int) -> Int { min((512 + 256 * workers) << 20, Self.limit / 2) }
}
