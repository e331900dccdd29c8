import Testing

@testable import GlyphwireServer

@Suite struct FairQueueTests {
    /// A queue of words, whose first letter is their connection; capitals are exclusive, digits replaceable.
    private struct Words {
        private var queue: FairQueue<String>
        var now = ContinuousClock.now

        init(workers: Int = 100) { self.queue = FairQueue(workers: workers) }

        var count: Int { self.queue.count }

        /// Returns the replaced words.
        @discardableResult
        mutating func append(_ words: String...) -> [String] {
            words.compactMap { word in
                let schedulingClass: FairQueue<String>.SchedulingClass =
                    switch word.first {
                    case let letter? where letter.isNumber: .replaceable
                    case let letter? where letter.isUppercase: .exclusive
                    default: .parallel
                    }
                return self.queue.append(word, of: Self.connection(word), schedulingClass, at: self.now)
            }
        }

        var reservationEnd: ContinuousClock.Instant? { self.queue.reservationEnd }

        mutating func pop() -> String? { self.queue.popFirst(at: self.now) }

        mutating func finish(_ word: String) { self.queue.finished(Self.connection(word)) }

        mutating func remove(_ letter: String) { self.queue.remove(Self.connection(letter)) }

        /// Removes one word, and returns whether it was waiting.
        mutating func withdraw(_ word: String) -> Bool {
            self.queue.remove(Self.connection(word)) { $0 == word } != nil
        }

        /// All words that one worker would get, in order.
        mutating func drain() -> [String] {
            var all: [String] = []
            while let word = self.pop() {
                all.append(word)
                self.finish(word)
            }
            return all
        }

        private static func connection(_ word: String) -> ConnectionID {
            ConnectionID(UInt64(word.utf8.first ?? 0))
        }
    }

    @Test func oneConnectionIsServedInItsOwnOrder() {
        var queue = Words()
        queue.append("a1", "a2", "a3")
        let order = queue.drain()
        #expect(order == ["a1", "a2", "a3"])
        #expect(queue.count == 0)
    }

    @Test func connectionsTakeTurnsInTheOrderOfTheirArrival() {
        var queue = Words()
        queue.append("b1", "b2", "b3", "a1", "a2", "c1")
        let order = queue.drain()
        #expect(order == ["b1", "a1", "c1", "b2", "a2", "b3"])
    }

    @Test func aNewcomerWaitsForOneElementOfEachOtherAtMost() {
        var queue = Words()
        for number in 0..<1000 { queue.append("flood \(number)") }
        let first = queue.pop()
        queue.append("camera")
        let next = [queue.pop(), queue.pop(), queue.pop()]
        #expect(first == "flood 0")
        #expect(next == ["flood 1", "camera", "flood 2"])
    }

    @Test func aConnectionThatRanEmptyComesBackAtTheEnd() {
        var queue = Words()
        queue.append("a1")
        let first = queue.pop()
        queue.append("b1", "a2")
        let order = queue.drain()
        #expect(first == "a1")
        #expect(order == ["b1", "a2"])
    }

    @Test func aConnectionThatLeavesTakesItsElementsAlong() {
        var queue = Words(workers: 1)
        queue.append("a1", "a2", "b1", "b2")
        let inWork = queue.pop()
        queue.remove("a")
        #expect(inWork == "a1" && queue.count == 2)
        let none = queue.pop()
        #expect(none == nil, "elements in work keep their worker busy")
        queue.finish("a1")
        let order = queue.drain()
        #expect(order == ["b1", "b2"])
        queue.remove("a")
        queue.append("c1")
        let rest = queue.drain()
        #expect(rest == ["c1"])
    }

    @Test func oneElementMayLeaveWhileItWaits() {
        var queue = Words()
        queue.append("a1", "a2", "b1")
        let inWork = queue.pop()
        let isWaiting = [queue.withdraw("a1"), queue.withdraw("a2"), queue.withdraw("a2"), queue.withdraw("c1")]
        #expect(inWork == "a1" && isWaiting == [false, true, false, false])
        #expect(queue.count == 1)
        let order = queue.drain()
        #expect(order == ["b1"])
        queue.append("a3")
        let rest = queue.drain()
        #expect(rest == ["a3"])
    }

    @Test func anElementThatLeavesLetsTheNextOneBeTaken() {
        var queue = Words()
        queue.append("A1", "A2", "A3")
        let first = queue.pop()
        let isWaiting = queue.withdraw("A2")
        let beside = queue.pop()
        #expect(first == "A1" && isWaiting && beside == nil)
        queue.finish("A")
        let order = queue.drain()
        #expect(order == ["A3"])
    }

    @Test func aNewerElementTakesThePlaceAndTheTurnOfTheOneThatWaits() {
        var queue = Words()
        let none = queue.append("1 old", "b1")
        let replaced = queue.append("1 newer", "1 newest")
        #expect(none == [] && replaced == ["1 old", "1 newer"])
        #expect(queue.count == 2)
        let order = queue.drain()
        #expect(order == ["1 newest", "b1"])
    }

    @Test func whatIsInWorkIsNotReplacedAndHasNothingBesideIt() {
        var queue = Words()
        queue.append("1 first")
        let first = queue.pop()
        let replaced = queue.append("1 second", "b1", "1 third")
        #expect(first == "1 first" && replaced == ["1 second"])
        let beside = [queue.pop(), queue.pop()]
        #expect(beside == ["b1", nil])
        queue.finish("1")
        let third = queue.pop()
        #expect(third == "1 third")
    }

    @Test func anElementThatStandsAloneIsNotReplaced() {
        var queue = Words()
        let replaced = queue.append("A1", "A2", "A3")
        #expect(replaced == [])
        let first = [queue.pop(), queue.pop()]
        #expect(first == ["A1", nil])
        queue.finish("A")
        let second = [queue.pop(), queue.pop()]
        #expect(second == ["A2", nil])
    }

    // MARK: - The last worker

    @Test func oneConnectionMayHaveAllWorkersWhileTheOthersAreQuiet() {
        var queue = Words(workers: 3)
        queue.append("a1", "a2", "a3", "a4")
        let taken = [queue.pop(), queue.pop(), queue.pop(), queue.pop()]
        #expect(taken == ["a1", "a2", "a3", nil])
        queue.finish("a")
        let next = queue.pop()
        #expect(next == "a4")
    }

    @Test func theLastWorkerIsKeptForAConnectionThatWasHeardOfLately() {
        var queue = Words(workers: 3)
        queue.append("camera 1")
        let camera = queue.drain()
        queue.append("a1", "a2", "a3")
        let taken = [queue.pop(), queue.pop(), queue.pop()]
        #expect(camera == ["camera 1"] && taken == ["a1", "a2", nil])
        #expect(queue.reservationEnd == queue.now + .seconds(1))
        queue.append("camera 2")
        let last = queue.pop()
        #expect(last == "camera 2")
        queue.finish("a")
        let free = queue.pop()
        #expect(free == "a3", "the camera has its element in work, and no other connection is expected")
        #expect(queue.reservationEnd == nil)
    }

    @Test func aConnectionThatFellSilentIsNotWaitedFor() {
        var queue = Words(workers: 2)
        queue.append("camera 1")
        _ = queue.drain()
        queue.append("a1", "a2", "a3")
        let taken = [queue.pop(), queue.pop()]
        #expect(taken == ["a1", nil])
        queue.now += .seconds(1)
        let later = queue.pop()
        #expect(later == "a2")
    }

    @Test func aConnectionThatLeftIsNotWaitedFor() {
        var queue = Words(workers: 2)
        queue.append("camera 1")
        _ = queue.drain()
        queue.append("a1", "a2")
        queue.remove("c")
        let taken = [queue.pop(), queue.pop()]
        #expect(taken == ["a1", "a2"])
    }

    @Test func twoBusyConnectionsLeaveNoWorkerIdle() {
        var queue = Words(workers: 4)
        queue.append("a1", "a2", "a3", "b1", "b2", "b3")
        let taken = [queue.pop(), queue.pop(), queue.pop(), queue.pop()]
        #expect(taken == ["a1", "b1", "a2", "b2"])
    }

    @Test func aWorkerAloneServesWhoeverHasNothingInWork() {
        var queue = Words(workers: 1)
        queue.append("camera 1", "a1", "a2")
        let order = queue.drain()
        #expect(order == ["camera 1", "a1", "a2"])
    }
}
