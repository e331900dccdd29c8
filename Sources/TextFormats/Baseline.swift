internal import GlyphwireProtocol
internal import TextModel

/// Baseline of a line of text.
///
/// It is parallel to the sides of the line's box, through the median bottom of the letters without descenders.
struct Baseline {
    let start: Point
    let end: Point

    /// Characters that extend below the baseline, or do not stand on it.
    private static let exceptions = Set("gjpqyQJþçşţ,;()[]{}|/\\@_$§'\"`´^*°~-–—+=·•<>«»“”‘’„，。、；：（）「」")

    /// Finds the baseline of a line; `nil` if it has no character that stands on it.
    init?(_ line: TextLine) {
        let axes = Axes(line.box)
        let bottoms = line.words.lazy.flatMap(\.characters).filter { character in
            character.text.first.map { !Self.exceptions.contains($0) } ?? false
        }.map { character in
            let left = axes.coordinates(of: character.box.bottomLeft).down
            return (left + axes.coordinates(of: character.box.bottomRight).down) / 2
        }.sorted()
        guard !bottoms.isEmpty else { return nil }
        let down = bottoms[bottoms.count / 2]
        self.start = axes.point(along: axes.coordinates(of: line.box.bottomLeft).along, down: down)
        self.end = axes.point(along: axes.coordinates(of: line.box.bottomRight).along, down: down)
    }
}
