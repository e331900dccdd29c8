internal import TextModel

/// Lines whose letters are larger than the network's receptive field, which come from a scan at a smaller scale.
extension [DetectedLine] {
    /// Chosen by hand; not measured alone.
    private enum Tuning {
        /// Least share of a line inside a large one from which it is a part of it.
        static let minSharedArea: Float = 0.7
        /// Height of a line inside a large one, as a share of its height, below which it is no part of its letters.
        static let minPartHeight: Float = 0.35
        /// Least share of a large line's area in lower ones at which it is no line: the smaller scan merges those of a block.
        static let minBlockArea: Float = 0.1
        /// Least number of lines in a tall one at which they are letters that stand on one another.
        static let minStackedLetters = 3
        /// Least height of a line that the closer scan detected whole, as a share of the large line's height.
        static let minWholeHeight: Float = 0.7
    }

    /// Replaces pieces of large lines by these lines.
    ///
    /// - Parameter large: The lines of a scan at a smaller scale.
    /// - Returns: These lines without the pieces of large ones, and the large ones that they do not show.
    func merged(with large: [DetectedLine]) -> [DetectedLine] {
        large.reduce(self) { lines, large in
            let inside = lines.indices.filter { lines[$0].isInside(large, share: Tuning.minSharedArea) }
            let parts = inside.filter { lines[$0].letterHeight >= Tuning.minPartHeight * large.letterHeight }
            let lower = Set(inside).subtracting(parts)
            let isBlock = lower.reduce(0) { $0 + lines[$1].rect.area } > Tuning.minBlockArea * large.rect.area
            let isStack = large.shape == .tall && parts.count >= Tuning.minStackedLetters
            let isKnown = lines.contains { line in
                line.letterHeight > Tuning.minWholeHeight * large.letterHeight
                    && large.isInside(line, share: Tuning.minSharedArea)
            }
            guard !isBlock, !isStack, !isKnown else { return lines }
            return lines.indices.filter { !parts.contains($0) }.map { lines[$0] } + [large]
        }
    }
}

extension DetectedLine {
    /// Whether a share of the line lies in another one.
    fileprivate func isInside(_ other: DetectedLine, share: Float) -> Bool {
        self.rect.quad.intersectionArea(with: other.rect.quad) > share * self.rect.area
    }
}
