/// Sets of characters that many typefaces draw alike, so that a recognizer confuses them.
///
/// They are the common confusions of Latin print among the confusables of Unicode Technical Standard 39: digits and letters,
/// capitals and small letters of one shape, the comma and the point.
enum ConfusableSet {
    /// Each set, its characters in no order.
    static let all: [[String]] = [
        ["0", "O", "o"], ["1", "l", "I", "|"], ["5", "S", "s"], ["8", "B"], ["2", "Z", "z"], ["6", "G", "b"],
        ["9", "g", "q"], [",", "."], ["C", "c", "℃"], ["F", "℉"], ["K", "k"], ["P", "p"], ["U", "u"], ["V", "v"],
        ["W", "w"],
        ["X", "x", "×"], ["Y", "y"],
    ]

    /// For each of `count` classes the classes that it is confused with, by the class of each character.
    static func rivals(among labels: [String: Int], count: Int) -> [[Int]] {
        var rivals = [[Int]](repeating: [], count: count)
        for set in Self.all {
            let known = set.compactMap { labels[$0] }
            for label in known { rivals[label] = known.filter { $0 != label } }
        }
        return rivals
    }
}
