import Testing

@testable import GlyphwireServer

@Suite struct FairQueueTests {
    /// A queue of words, whose first letter says whose they are.
    private struct Words {
        private var queue: FairQueue<String>

        init(capacity: Int) { self.queue = FairQueue(capacityPerConnection: capacity) }

        var count: Int { self.queue.count }

        /// Returns those for which there was room.
        @discardableResult
        mutating func append(_ words: String...) -> [String] {
            words.filter { self.queue.append($0, of: Self.connection($0)) }
        }

        mutating func pop() -> String? { self.queue.popFirst() }

        mutating func remove(_ letter: String) { self.queue.remove(Self.connection(letter)) }

        mutating func drain() -> [String] {
            var all: [String] = []
            while let word = self.pop() { all.append(word) }
            return all
        }

        private static func connection(_ word: String) -> ConnectionID {
            ConnectionID(UInt64(word.utf8.first ?? 0))
        }
    }

    @Test func oneConnectionIsServedInItsOwnOrder() {
        var queue = Words(capacity: 3)
        queue.append("a1", "a2", "a3")
        let order = queue.drain()
        #expect(order == ["a1", "a2", "a3"])
        #expect(queue.count == 0)
    }

    @Test func connectionsTakeTurnsInTheOrderOfTheirArrival() {
        var queue = Words(capacity: 9)
        queue.append("b1", "b2", "b3", "a1", "a2", "c1")
        let order = queue.drain()
        #expect(order == ["b1", "a1", "c1", "b2", "a2", "b3"])
    }

    @Test func aNewcomerWaitsForOneElementOfEachOtherAtMost() {
        var queue = Words(capacity: 1000)
        for number in 0..<1000 { queue.append("flood \(number)") }
        let first = queue.pop()
        queue.append("camera")
        let next = [queue.pop(), queue.pop(), queue.pop()]
        #expect(first == "flood 0")
        #expect(next == ["flood 1", "camera", "flood 2"])
    }

    @Test func aConnectionThatRanEmptyComesBackAtTheEnd() {
        var queue = Words(capacity: 9)
        queue.append("a1")
        let first = queue.pop()
        queue.append("b1", "a2")
        let order = queue.drain()
        #expect(first == "a1")
        #expect(order == ["b1", "a2"])
    }

    @Test func whatIsPastAConnectionsShareIsRefusedAndTheOthersAreNot() {
        var queue = Words(capacity: 2)
        let taken = queue.append("a1", "a2", "a3", "b1")
        let order = queue.drain()
        #expect(taken == ["a1", "a2", "b1"])
        #expect(order == ["a1", "b1", "a2"])
    }

    @Test func aConnectionThatLeavesTakesItsElementsAlong() {
        var queue = Words(capacity: 9)
        queue.append("a1", "a2", "b1", "b2")
        queue.remove("a")
        #expect(queue.count == 2)
        let order = queue.drain()
        #expect(order == ["b1", "b2"])
        queue.remove("a")
        queue.append("a3")
        let rest = queue.drain()
        #expect(rest == ["a3"])
    }
}
