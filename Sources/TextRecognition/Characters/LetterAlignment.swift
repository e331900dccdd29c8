/// Which characters the letters of a word hold, as its ink makes them up: one each, but for letters that touch.
enum LetterAlignment {
    /// So many characters hang together at most; where more do, the ink tells too little.
    private static let mostTouching = 4

    /// Finds which characters each letter holds.
    ///
    /// Order is kept, every character is in one letter, and the sum is least of how far the letters' middles lie from their
    /// characters', and of how much their widths differ from those that are expected (dynamic programming).
    ///
    /// - Parameters:
    ///   - letters: From left to right.
    ///   - centres: The middle of each character, as many as there are letters or more.
    ///   - glyphWidths: How wide each is relative to the others.
    /// - Returns: For each letter the characters that it holds, by their places in `centres`; `nil` where that cannot be.
    static func characters(of letters: [BoundingBox], centres: [Float], glyphWidths: [Float]) -> [Range<Int>]? {
        let (letterCount, count) = (letters.count, centres.count)
        guard letterCount > 0, letterCount <= count else { return nil }
        let unit = letters.reduce(0) { $0 + $1.x1 - $1.x0 } / max(glyphWidths.reduce(0, +), .leastNormalMagnitude)
        let most = min(Self.mostTouching, count - letterCount + 1)
        // The least cost with which the letters so far hold the characters so far, and how many the last of them holds.
        var costs = [Float](repeating: .infinity, count: count + 1)
        costs[0] = 0
        var held: [[Int]] = []
        for letter in letters {
            var next = [Float](repeating: .infinity, count: count + 1)
            var sizes = [Int](repeating: 0, count: count + 1)
            for end in 1...count {
                for size in 1...most where size <= end && costs[end - size] < .infinity {
                    let group = end - size..<end
                    let width = unit * glyphWidths[group].reduce(0, +)
                    let middle = (centres[group.lowerBound] + centres[end - 1]) / 2
                    let cost =
                        costs[group.lowerBound] + abs(letter.centreX - middle) + abs(letter.x1 - letter.x0 - width)
                    if cost < next[end] { (next[end], sizes[end]) = (cost, size) }
                }
            }
            costs = next
            held.append(sizes)
        }
        guard costs[count] < .infinity else { return nil }
        var end = count
        let groups = held.reversed().map { sizes in
            defer { end -= sizes[end] }
            return end - sizes[end]..<end
        }
        return groups.reversed()
    }
}
