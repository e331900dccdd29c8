import Testing

@testable import TextRecognition

/// Bright letters with a dark rim.
@Suite struct BrightestToneTests {
    /// The tone of a line with a number of pixels of each brightness.
    private static func tone(_ counts: KeyValuePairs<UInt8, Int>) -> BrightestTone? {
        counts.flatMap { [UInt8](repeating: $0.key, count: $0.value) }.withUnsafeBufferPointer { BrightestTone(of: $0) }
    }

    @Test(arguments: [UInt8(80), 120, 170])
    func onlyLettersAreInkWhateverTheGround(ground: UInt8) throws {
        let tone = try #require(Self.tone([ground: 600, 10: 200, 240: 200]))
        #expect(tone.shade(of: 255) == 0)
        #expect(tone.shade(of: 240) == 0)
        #expect(tone.shade(of: ground) == 255)
        #expect(tone.shade(of: 10) == 255)
    }

    @Test func edgesStaySoft() throws {
        // Each bin between the ground and the letters has some.
        let tone = try #require(Self.tone([120: 600, 10: 200, 210: 20, 225: 20, 240: 160]))
        #expect((1...254).contains(tone.shade(of: 210)))
        #expect(tone.shade(of: 210) > tone.shade(of: 225))
    }

    @Test func aBrightGroundIsNoTone() {
        #expect(Self.tone([240: 600, 10: 200, 120: 200]) == nil)
        #expect(Self.tone([240: 100]) == nil)
        #expect(Self.tone([:]) == nil)
    }
}
