/// Monotonic alignment of a word's component groups with its characters.
///
/// Each group is one character, or several that touch. Places are in pixels of the rectified line.
enum LetterAlignment {
    /// Most characters of one group; where more touch, the groups show too little.
    ///
    /// With up to four, boxes of pages 0.919 → 0.941 at `fast` (accuracy log, *Touching characters and their neighbours*);
    /// other numbers were not measured.
    private static let maxTouching = 4

    /// Returns the characters of each group.
    ///
    /// Dynamic programming keeps the order, gives every character one group, and minimises the distance of each group's centre
    /// from its characters' plus the difference of its width from theirs.
    ///
    /// - Parameters:
    ///   - groups: The boxes of the groups from left to right.
    ///   - characters: The characters in order, at least as many as groups.
    /// - Returns: For each group its range of characters; `nil` where no alignment is possible.
    static func align(_ groups: [BoundingBox], with characters: [ExpectedCharacter]) -> [Range<Int>]? {
        let (groupCount, count) = (groups.count, characters.count)
        guard groupCount > 0, groupCount <= count else { return nil }
        let unit = groups.reduce(0) { $0 + $1.x1 - $1.x0 } / max(characters.totalWidth, .leastNormalMagnitude)
        let maxSize = min(Self.maxTouching, count - groupCount + 1)
        // The least cost of aligning the groups so far with the first characters, by their number.
        var costs = [Float](repeating: .infinity, count: count + 1)
        costs[0] = 0
        // For each group and number of characters, how many of them are the group's: the backpointers.
        var sizesByGroup: [[Int]] = []
        for group in groups {
            var next = [Float](repeating: .infinity, count: count + 1)
            var sizes = [Int](repeating: 0, count: count + 1)
            for end in 1...count {
                for size in 1...maxSize where size <= end && costs[end - size] < .infinity {
                    let members = characters[end - size..<end]
                    let width = unit * members.totalWidth
                    let middle = (characters[end - size].centre + characters[end - 1].centre) / 2
                    let cost = costs[end - size] + abs(group.centreX - middle) + abs(group.x1 - group.x0 - width)
                    if cost < next[end] { (next[end], sizes[end]) = (cost, size) }
                }
            }
            costs = next
            sizesByGroup.append(sizes)
        }
        guard costs[count] < .infinity else { return nil }
        var end = count
        let ranges = sizesByGroup.reversed().map { sizes in
            defer { end -= sizes[end] }
            return end - sizes[end]..<end
        }
        return ranges.reversed()
    }
}
