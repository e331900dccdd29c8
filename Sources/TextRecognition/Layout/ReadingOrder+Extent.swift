internal import TextModel

extension ReadingOrder {
    /// Bounding box of a line on the page, rotated so that most of its text is level.
    ///
    /// Its coordinates are not pixels of any picture, so it is neither a ``PixelRect`` nor a ``BoundingBox`` of a
    /// rectified line.
    struct Extent {
        /// The left edge.
        var left: Float
        /// The right edge.
        var right: Float
        /// The upper edge.
        var top: Float
        /// The lower edge.
        var bottom: Float
        /// Its words; of a row of several lines, those of the first.
        var words: LineWords
        /// How far it goes down from left to right, as a share of its width, as lines of a curved page do.
        var slope: Float

        /// Minimum overlap of two lines in one row, as a share of the lower one's height.
        ///
        /// Not measured.
        private static let minSharedHeight: Float = 0.5
        /// Maximum overlap of two lines in one row, as a share of the narrower one's width.
        ///
        /// Boxes of slanted lines are high, and overlap those of the lines above and below. Chosen by hand.
        private static let maxSharedWidth: Float = 0.5
        /// Maximum gap between lines of one column, in heights of the lower line; chosen by hand.
        private static let maxColumnGap: Float = 3

        init(_ quad: Quad, words: LineWords = LineWords()) {
            (self.left, self.top, self.right, self.bottom) = quad.bounds
            self.words = words
            let (x, y) = (quad.topRight.x - quad.topLeft.x, quad.topRight.y - quad.topLeft.y)
            self.slope = abs(x) > abs(y) ? y / x : 0
        }

        /// The middle between the upper and the lower edge.
        var middle: Float { (self.top + self.bottom) / 2 }

        /// The distance from the left to the right edge.
        var width: Float { self.right - self.left }

        /// The distance from the upper to the lower edge.
        var height: Float { self.bottom - self.top }

        /// Returns the bounding box of both.
        func union(_ other: Extent) -> Extent {
            var union = self
            union.left = min(self.left, other.left)
            union.right = max(self.right, other.right)
            union.top = min(self.top, other.top)
            union.bottom = max(self.bottom, other.bottom)
            union.slope = 0
            return union
        }

        /// Returns whether the horizontal extents of both overlap.
        func sharesWidth(with other: Extent) -> Bool { self.left < other.right && other.left < self.right }

        /// Returns whether both are in one row of text.
        func sharesRow(with other: Extent) -> Bool {
            let sharedWidth = min(self.right, other.right) - max(self.left, other.left)
            guard sharedWidth <= Self.maxSharedWidth * min(self.width, other.width) else { return false }
            let shared = min(self.bottom, other.bottom) - max(self.top, other.top)
            return shared > Self.minSharedHeight * min(self.height, other.height)
        }

        /// Returns whether it is above another line where both overlap in width.
        func isAbove(_ other: Extent) -> Bool {
            let shared = (max(self.left, other.left) + min(self.right, other.right)) / 2
            return self.middle(at: shared) < other.middle(at: shared)
        }

        /// Returns whether the column of a line above it goes on with it, without a wide gap.
        func follows(_ other: Extent) -> Bool {
            self.top - other.bottom <= Self.maxColumnGap * min(self.height, other.height)
        }

        private func middle(at x: Float) -> Float { self.middle + self.slope * (x - (self.left + self.right) / 2) }
    }
}
