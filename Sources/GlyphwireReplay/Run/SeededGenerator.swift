/// Pseudo-random generator that is reproducible by its seed on every machine (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; each `stream` of a seed has its own sequence.
    package init(seed: UInt64, stream: Int = 0) {
        self.state = seed
        // Streams start far apart: each at the seed's own sequence value of its index.
        for _ in 0..<stream { self.state = self.next() }
    }

    package mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Random number in 0..<1.
    mutating func nextFraction() -> Double { Double(self.next() >> 11) * 0x1p-53 }
}
