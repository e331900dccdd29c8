/// Divides a line's characters into words.
///
/// Recognisers often leave out a space that is plain to see, so a word ends at a space that was read and at a gap in the
/// ink that is wide for this line.
enum WordSplitter {
    /// A gap must be this wide to end a word, in character heights.
    private static let wideGap: Float = 0.55
    /// It must also be this much wider than the line's usual gap, in character heights.
    private static let widerThanUsual: Float = 0.22
    /// Where spaces were read, it must be at least this share of the gaps that they stand for.
    private static let shareOfReadSpace: Float = 0.75

    /// The ranges of characters that make up the words of a line.
    ///
    /// - Parameters:
    ///   - boxes: Where the characters are.
    ///   - startsAfterSpace: For each character, whether a space was read before it.
    /// - Returns: Ranges that cover all characters, in order.
    static func words(_ boxes: [InkBox], startsAfterSpace: [Bool]) -> [Range<Int>] {
        guard !boxes.isEmpty else { return [] }
        let heights = boxes.map { $0.y1 - $0.y0 }.sorted()
        let height = heights[heights.count * 3 / 4]
        let gaps = zip(boxes, boxes.dropFirst()).map { $1.x0 - $0.x1 }
        let usual = gaps.isEmpty ? 0 : gaps.sorted()[gaps.count / 2]
        let read = boxes.indices.dropFirst().filter { startsAfterSpace[$0] }.map { gaps[$0 - 1] }.sorted()
        let readGap = read.isEmpty ? 0 : Self.shareOfReadSpace * read[read.count / 2]
        let least = max(Self.wideGap * height, usual + Self.widerThanUsual * height, readGap)
        var words: [Range<Int>] = []
        var start = 0
        for index in boxes.indices.dropFirst() {
            if startsAfterSpace[index] || gaps[index - 1] > least {
                words.append(start..<index)
                start = index
            }
        }
        words.append(start..<boxes.count)
        return words
    }
}
