import NIOConcurrencyHelpers
import Testing

@testable import GlyphwireHTTP

@Suite(.timeLimit(.minutes(1))) struct AsyncSemaphoreTests {
    @Test func soManyAreInsideAndNoMoreAndAllPass() async {
        let semaphore = AsyncSemaphore(capacity: 3)
        let inside = NIOLockedValueBox((now: 0, most: 0))
        let passed = await withTaskGroup(of: Int?.self) { tasks in
            for number in 0..<100 {
                tasks.addTask {
                    await semaphore.withPermit {
                        inside.withLockedValue { inside in
                            inside.now += 1
                            inside.most = max(inside.most, inside.now)
                        }
                        for _ in 0..<10 { await Task.yield() }
                        inside.withLockedValue { $0.now -= 1 }
                        return number
                    }
                }
            }
            return await tasks.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(passed.count == 100)
        #expect(inside.withLockedValue(\.now) == 0)
        #expect((1...3).contains(inside.withLockedValue(\.most)))
    }

    @Test func anErrorReturnsThePermit() async throws {
        struct Failure: Error {}
        let semaphore = AsyncSemaphore(capacity: 1)
        await #expect(throws: Failure.self) { try await semaphore.withPermit { throw Failure() } }
        let isFree = await semaphore.withPermit { true }
        #expect(isFree == true)
    }

    @Test func aTaskThatIsCancelledWaitsForNoPermit() async {
        let semaphore = AsyncSemaphore(capacity: 1)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (silence, sound) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            await semaphore.withPermit {
                beginning.yield()
                for await _ in silence {}
            }
        }
        for await _ in begun { break }
        let waiter = Task { await semaphore.withPermit { true } }
        waiter.cancel()
        #expect(await waiter.value == nil)
        sound.finish()
        _ = await holder.value
        let isFree = await semaphore.withPermit { true }
        #expect(isFree == true)
    }
}
