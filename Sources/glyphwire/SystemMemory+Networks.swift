internal import FramePipeline

extension SystemMemory {
    /// Default memory for compiled networks: enough for several cameras, at most half of the memory.
    ///
    /// - Parameter workers: The number of worker threads.
    /// - Returns: Bytes.
    static func forNetworks(workers: Int) -> Int { min((512 + 256 * workers) << 20, Self.limit / 2) }
}
