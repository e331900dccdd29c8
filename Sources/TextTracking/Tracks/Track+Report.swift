internal import TextModel

extension Track {
    private enum Tuning {
        /// Least share of a word's box in the region of interest with which it is reported; chosen by eye.
        static let minVisibleShare: Float = 0.5
    }

    /// Lines that are reported of the latest frame, wherever they are.
    ///
    /// That is the whole line, or each run of its reported words, or nothing while the track is tentative.
    var reported: [TextLine] {
        guard !self.isTentative else { return [] }
        var line = self.line
        line.state = self.state
        for (index, id) in zip(line.words.indices, self.wordIDs) { line.words[index].id = id }
        guard self.vote.isReported.contains(false) else { return [line] }
        return zip(line.words, self.vote.isReported).split { !$0.1 }.compactMap { line.restricted(to: $0.map(\.0)) }
    }

    /// Lines that are reported, without words that have left the region of interest.
    func reported(inside region: Box) -> [TextLine] {
        let reported = self.reported
        guard self.motion != .identity, !region.contains(Box(around: self.box, margin: 0)) else { return reported }
        let (left, top) = (Float(region.left), Float(region.top))
        let (right, bottom) = (Float(region.right), Float(region.bottom))
        return reported.compactMap { line in
            line.restricted(
                to: line.words.filter { word in
                    let bounds = word.box.bounds
                    let visibleWidth = min(bounds.right, right) - max(bounds.left, left)
                    let visibleHeight = min(bounds.bottom, bottom) - max(bounds.top, top)
                    let visible = max(0, visibleWidth) * max(0, visibleHeight)
                    let (wordWidth, wordHeight) = (bounds.right - bounds.left, bounds.bottom - bounds.top)
                    return visible >= Tuning.minVisibleShare * wordWidth * wordHeight
                }
            )
        }
    }
}
