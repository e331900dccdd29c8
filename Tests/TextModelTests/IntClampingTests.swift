import TextModel
import Testing

@Suite struct IntClampingTests {
    @Test(
        arguments: [
            (3.9, 3), (-3.9, -3), (9, 9), (9.1, 9), (1e30, 9), (.infinity, 9), (-5.5, -5), (-.infinity, -5), (.nan, 0),
        ] as [(Float, Int)]
    )
    func everyNumberIsInTheRange(value: Float, clamped: Int) {
        #expect(Int(clamping: value, to: -5...9) == clamped)
    }

    @Test func whatIsNoNumberIsNearestToZero() {
        #expect(Int(clamping: .nan, to: 3...9) == 3)
        #expect(Int(clamping: 1e30, to: 0...Int.max) == .max)
    }
}
