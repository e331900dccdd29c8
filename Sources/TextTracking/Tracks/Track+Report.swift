internal import TextModel

extension Track {
    private enum Tuning {
        /// Least share of a word's box in the frame with which it is reported; chosen by eye.
        static let minVisibleShare: Float = 0.7
    }

    /// Lines that are reported of the latest frame, whether inside it or not.
    ///
    /// That is the whole line, or each run of its reported words, or nothing while the track is tentative.
    var reported: [TextLine] {
        guard !self.isTentative else { return [] }
        var line = self.line
        line.state = self.state
        for (index, id) in zip(line.words.indices, self.wordIDs) { line.words[index].id = id }
        guard self.isReported.contains(false) else { return [line] }
        return zip(line.words, self.isReported).split { !$0.1 }.compactMap { line.restricted(to: $0.map(\.0)) }
    }

    /// Lines that are reported, without words that have left the frame.
    func reported(width: Int, height: Int) -> [TextLine] {
        let reported = self.reported
        guard self.motion != .identity, !self.line.box.isInside((width, height)) else { return reported }
        return reported.compactMap { line in
            line.restricted(
                to: line.words.filter { word in
                    let bounds = word.box.bounds
                    let visibleWidth = min(bounds.right, Float(width)) - max(bounds.left, 0)
                    let visibleHeight = min(bounds.bottom, Float(height)) - max(bounds.top, 0)
                    let visible = max(0, visibleWidth) * max(0, visibleHeight)
                    let (wordWidth, wordHeight) = (bounds.right - bounds.left, bounds.bottom - bounds.top)
                    return visible >= Tuning.minVisibleShare * wordWidth * wordHeight
                }
            )
        }
    }
}
