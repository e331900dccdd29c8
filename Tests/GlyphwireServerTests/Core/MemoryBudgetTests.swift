import Testing

@testable import GlyphwireServer

@Suite struct MemoryBudgetTests {
    @Test func bytesWithoutRoomAreNotAdded() {
        let budget = MemoryBudget(limit: 10)
        #expect(budget.addIfRoom(7))
        #expect(!budget.addIfRoom(4))
        #expect(budget.heldByteCount == 7 && !budget.isExceeded)
        #expect(budget.addIfRoom(3))
        budget.add(1)
        #expect(budget.isExceeded && !budget.addIfRoom(0))
    }

    @Test func theLimitHoldsForAllTogether() async {
        let budget = MemoryBudget(limit: 1000)
        let added = await withTaskGroup(of: Int.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask { (0..<500).count { _ in budget.addIfRoom(1) } }
            }
            return await tasks.reduce(0, +)
        }
        #expect(added == 1000 && budget.heldByteCount == 1000)
    }
}
