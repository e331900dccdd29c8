import NIOCore
import Testing

@testable import SystemSupport

@Suite struct LineOutputTests {
    /// Output that takes a number of bytes of each write, and then everything.
    private final class FakeOutput {
        private var rooms: [Int]
        private(set) var text = ""

        init(rooms: [Int]) { self.rooms = rooms }

        func write(_ bytes: ByteBuffer) -> OutputResult {
            let room = self.rooms.isEmpty ? bytes.readableBytes : min(self.rooms.removeFirst(), bytes.readableBytes)
            self.text += String(buffer: bytes).prefix(room)
            return OutputResult(byteCount: room, failure: room < bytes.readableBytes ? .other("full") : nil)
        }
    }

    @Test(arguments: [
        // The number of bytes taken of "one\ntwo\n", the number of lost lines, and what there is in the end.
        (0, 2, "three\n"), (2, 1, "one\nthree\n"), (4, 1, "one\nthree\n"), (5, 0, "one\ntwo\nthree\n"),
    ])
    func aLineThatWasBegunIsCompletedAndOthersAreLost(room: Int, lostCount: Int, text: String) {
        let fake = FakeOutput(rooms: [room])
        var output = LineOutput(write: fake.write)
        let result = output.put(ByteBuffer(string: "one\ntwo\n"))
        #expect(result.lostCount == lostCount && result.failure == .other("full"))
        #expect(output.isCut == [2, 5].contains(room))
        let next = output.put(ByteBuffer(string: "three\n"))
        #expect(next.lostCount == 0 && next.failure == nil)
        #expect(fake.text == text)
    }

    @Test func theRestOfALineIsKeptForAsLongAsItIsNotTaken() {
        let fake = FakeOutput(rooms: [1, 0, 1, 0])
        var output = LineOutput(write: fake.write)
        let lostCounts = ["abc\n", "d\n", "e\n", "f\n"].map { output.put(ByteBuffer(string: $0)).lostCount }
        #expect(lostCounts == [0, 1, 1, 1])
        let last = output.put(ByteBuffer())
        #expect(last.lostCount == 0 && last.failure == nil)
        #expect(fake.text == "abc\n" && !output.isCut)
    }
}
