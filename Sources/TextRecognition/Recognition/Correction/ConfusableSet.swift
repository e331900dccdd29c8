/// Confusable sets: characters that many typefaces draw alike.
///
/// They are the common confusions of Latin print among the confusables of Unicode Technical Standard 39: digits and letters,
/// capital and small letters of one shape, the comma and the full stop.
enum ConfusableSet {
    /// All sets, each in no order.
    static let all: [[String]] = [
        ["0", "O", "o"], ["0", "e"], ["1", "l", "I", "|"], ["5", "S", "s"], ["8", "B"], ["2", "Z", "z"],
        ["6", "G", "b"],
        ["9", "g", "q"], [",", "."], ["C", "c", "℃"], ["F", "℉"], ["K", "k"], ["P", "p"], ["U", "u"], ["V", "v"],
        ["W", "w"], ["X", "x", "×"], ["Y", "y"],
    ]

    /// Returns the confusable classes of each of `count` classes.
    ///
    /// - Parameters:
    ///   - labels: The class of each character.
    ///   - count: The number of classes.
    /// - Returns: For each class those that it is confused with.
    static func classes(among labels: [String: Int], count: Int) -> [[Int]] {
        var confusables = [[Int]](repeating: [], count: count)
        for set in Self.all {
            let known = set.compactMap { labels[$0] }
            for label in known { confusables[label] += known.filter { $0 != label } }
        }
        return confusables
    }
}
