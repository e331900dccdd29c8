internal import TextModel

/// What frames show of a line before a moving camera: less than when it was anchored, or more.
extension Track {
    private enum Tuning {
        /// Least length of the visible part of a line that is verified: a number of its heights, or a share of it if that is less.
        ///
        /// Chosen by eye: two or three letters.
        static let minVisible: (heights: Float, share: Float) = (2, 0.5)
        /// Growth after which a truncated line is read again, as a share of its height.
        ///
        /// Chosen by eye. When it was introduced, hand-held streams took 0.48 instead of 0.60 of the time of single frames.
        static let minGrowth: Float = 0.15
    }

    /// Words that lie inside the latest frame as a whole.
    var wholeWords: [TextWord] { self.line.words.filter { $0.box.isInside(self.truncation.frameSize) } }

    /// Whether a reading in its place can verify the line: it may be read as another text where a part of it has left the frame.
    var isVerifiable: Bool { !self.isPartlyHidden || !self.wholeWords.isEmpty }

    /// Place of a truncated line with what has come into view of it; `nil` where that is too little to read it again.
    var grownPlace: Quad? {
        guard self.isTruncated, self.motion != .identity, !self.isPartlyHidden else { return nil }
        let (place, continued) = (self.place, self.truncation.continuedPlace(after: self.motion))
        let growth = continued.length - place.length - self.readGrowth
        return growth > Tuning.minGrowth * min(place.width, place.height) ? continued.turned(towards: place) : nil
    }

    /// Columns of the template that a frame shows after a motion; `nil` where they are too few to verify the line.
    func visibleColumns(after motion: Affine) -> Range<Int>? {
        let columns = self.template.columns(visibleAfter: motion, in: self.truncation.frameSize)
        guard columns.count < self.template.full.width else { return columns }
        let (width, height) = (Float(self.template.full.width), Float(self.template.full.height))
        let minCount = min(Tuning.minVisible.heights * height, Tuning.minVisible.share * width)
        return columns.count >= LineTemplate.minWidth && Float(columns.count) >= minCount ? columns : nil
    }

    /// Template of what a frame shows of the line after a motion; `nil` where that is too little to verify it.
    func template(visibleAfter motion: Affine) -> LineTemplate? {
        self.visibleColumns(after: motion).map {
            $0.count < self.template.full.width ? LineTemplate($0, of: self.template) : self.template
        }
    }

    /// Whether a detection shows more of a truncated line.
    func hasGrown(to place: Quad) -> Bool {
        guard self.isTruncated else { return false }
        let height = min(self.place.width, self.place.height)
        return min(place.width, place.height) - height > Tuning.minGrowth * height
            || place.longestInterval(outside: [self.place]) > Tuning.minGrowth * height
    }
}
