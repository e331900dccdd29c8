internal import FramePipeline

extension SystemMemory {
    /// Default memory for compiled networks: enough for several cameras, and at most half of the limit.
    ///
    /// - Parameter workers: The number of worker threads.
    /// - Returns: The number of bytes.
    static func forNetworks(workers: Int) -> Int { min((512 + 256 * workers) << 20, Self.limit / 2) }
}
