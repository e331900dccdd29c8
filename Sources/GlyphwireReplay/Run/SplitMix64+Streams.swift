internal import SeededRandom

extension SplitMix64 {
    /// Creates a generator; each `stream` of a seed has its own sequence.
    init(seed: UInt64, stream: Int) {
        self.init(seed)
        // Streams start far apart: each at the seed's own sequence value of its index.
        for _ in 0..<stream { self = SplitMix64(self.next()) }
    }

    /// Random number in 0..<1.
    mutating func nextFraction() -> Double { Double(self.next() >> 11) * 0x1p-53 }
}
