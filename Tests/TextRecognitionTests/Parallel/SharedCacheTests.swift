import Testing

@testable import TextRecognition

@Suite struct SharedCacheTests {
    /// Values that are made for keys, one after the other.
    private static func made(_ keys: [Int], maxCount: Int) -> [Int] {
        let cache = SharedCache<Int, Int>(maxCount: maxCount)
        var made: [Int] = []
        for key in keys {
            let value = cache.value(for: key) {
                made.append(key)
                return 10 * key
            }
            #expect(value == 10 * key)
        }
        return made
    }

    @Test func aValueIsMadeOnce() {
        #expect(Self.made([1, 2, 1, 2, 3, 1], maxCount: 3) == [1, 2, 3])
    }

    @Test func nothingIsKeptBeyondTheLimit() {
        #expect(Self.made([1, 2, 3, 3, 1, 2], maxCount: 2) == [1, 2, 3, 1, 2])
    }

    @Test func copiesShareTheirValues() {
        let cache = SharedCache<Int, Int>(maxCount: 2)
        let other = cache
        #expect(cache.value(for: 1) { 5 } == 5)
        #expect(other.value(for: 1) { 6 } == 5)
    }
}
