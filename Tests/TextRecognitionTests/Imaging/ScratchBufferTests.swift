import Testing

@testable import TextRecognition

@Suite struct ScratchBufferTests {
    @Test func roomThatIsThereIsKept() {
        var buffer = ScratchBuffer<Float>()
        buffer.reserve(100)
        let base = buffer.base
        base.initialize(repeating: 7, count: 100)
        buffer.reserve(40)
        buffer.reserve(100)
        #expect(buffer.base == base)
        #expect(base[99] == 7)
    }

    @Test func reservingMakesRoomForALittleMore() {
        var buffer = ScratchBuffer<Int32>()
        buffer.reserve(100)
        #expect(buffer.memory.count == 125)
        buffer.reserve(126)
        #expect(buffer.memory.count >= 126)
    }

    @Test func aLargeBufferHasAMebibyteToSpareAtMost() {
        var buffer = ScratchBuffer<Float>()
        buffer.reserve(8 << 20)
        #expect(buffer.memory.count == (8 << 20) + (1 << 18))
        buffer.free(beyond: 64 << 20)
        #expect(!buffer.memory.isEmpty)
        buffer.free(beyond: 16 << 20)
        #expect(buffer.memory.isEmpty)
        buffer.reserve(3)
        #expect(buffer.memory.count == 3)
    }

    @Test func growingKeepsWhatIsThere() {
        var buffer = ScratchBuffer<Int32>()
        for count in 1...1000 {
            buffer.grow(to: count, keeping: count - 1)
            buffer.base[count - 1] = Int32(count)
        }
        let values = (0..<1000).map { buffer.base[$0] }
        #expect(values == Array(1...1000))
    }

    @Test func growingDoublesSoThatManySmallStepsCopyLittle() {
        var buffer = ScratchBuffer<Int32>()
        var moves = 0
        for count in 1...10_000 {
            let before = buffer.memory.baseAddress
            buffer.grow(to: count, keeping: count - 1)
            if buffer.memory.baseAddress != before { moves += 1 }
        }
        #expect(moves <= 15)
    }
}
