internal import TextModel

/// A text kernel: the shrunk core of a line that a DB network marks, in pixels of the probability map.
///
/// Liao et al. 2020 train the network on lines shrunk by a distance that goes with their area over their perimeter (Vatti
/// clipping); unclipping moves the sides of the kernel's box outwards by such a distance again.
struct TextKernel {
    /// The kernel's minimum-area box.
    let rect: RotatedRect
    /// The mean probability of the kernel's pixels, 0...1.
    let score: Float
    /// The distance by which unclipping moves the sides above and below.
    let unclipDistance: Float
    /// The distance by which unclipping moves the left end.
    private var leftDistance: Float
    /// The distance by which unclipping moves the right end.
    private var rightDistance: Float

    /// Maximum difference in direction of two lines in one row, as the sine of the angle.
    ///
    /// Not measured by itself.
    private static let maxSkew: Float = 0.2

    init(rect: RotatedRect, score: Float, unclipDistance: Float) {
        self.rect = rect
        self.score = score
        self.unclipDistance = unclipDistance
        (self.leftDistance, self.rightDistance) = (unclipDistance, unclipDistance)
    }

    /// Limits the unclipping of kernels in one row of text, so that their lines meet between them.
    ///
    /// Beyond the middle between two kernels of a row, either line would show letters of the other one as well. This leaves 17
    /// of 120 pairs of overlapping lines in five sets (accuracy log, *Adjacent lines in a row*).
    ///
    /// - Parameter kernels: All kernels of a map.
    static func limitUnclipping(of kernels: inout [TextKernel]) {
        // Sorted by their tops, so that each is compared with those that share its rows alone: thousands take no time.
        let order = kernels.indices.sorted { kernels[$0].top < kernels[$1].top }
        for (position, index) in order.enumerated() {
            for other in order[(position + 1)...] {
                guard kernels[other].top <= kernels[index].bottom else { break }
                let kernel = kernels[index]
                kernels[index].limitUnclipping(beside: kernels[other])
                kernels[other].limitUnclipping(beside: kernel)
            }
        }
    }

    /// The line's box: the kernel's with its sides moved outwards.
    var unclipped: RotatedRect {
        var line = self.rect.expanded(by: self.unclipDistance)
        line.width += self.leftDistance + self.rightDistance - 2 * self.unclipDistance
        line.centre.x += line.axis.x * (self.rightDistance - self.leftDistance) / 2
        line.centre.y += line.axis.y * (self.rightDistance - self.leftDistance) / 2
        return line
    }

    /// The uppermost row of the unclipped line.
    private var top: Float { self.rect.centre.y - self.halfExtent }

    /// The lowest row of the unclipped line.
    private var bottom: Float { self.rect.centre.y + self.halfExtent }

    /// Half of the unclipped line's extent across the rows of the map.
    private var halfExtent: Float {
        abs(self.rect.axis.y) * (self.rect.width / 2 + self.unclipDistance)
            + abs(self.rect.axis.x) * (self.rect.height / 2 + self.unclipDistance)
    }

    /// Ends the line between this kernel and another one in its row, nearer to the one that grows less.
    private mutating func limitUnclipping(beside other: TextKernel) {
        guard let (gap, isRight) = self.gap(to: other) else { return }
        let share = gap * self.unclipDistance / (self.unclipDistance + other.unclipDistance)
        if isRight {
            self.rightDistance = min(self.rightDistance, share)
        } else {
            self.leftDistance = min(self.leftDistance, share)
        }
    }

    /// Returns the gap to another kernel of the same row, and its side.
    ///
    /// - Parameter other: The other kernel.
    /// - Returns: `nil` where the other is in another row, or overlaps this one along the text.
    private func gap(to other: TextKernel) -> (gap: Float, isRight: Bool)? {
        let axis = self.rect.axis
        let (x, y) = (other.rect.centre.x - self.rect.centre.x, other.rect.centre.y - self.rect.centre.y)
        let along = x * axis.x + y * axis.y
        let across = abs(y * axis.x - x * axis.y)
        let gap = abs(along) - (self.rect.width + other.rect.width) / 2
        let height = min(self.rect.height + 2 * self.unclipDistance, other.rect.height + 2 * other.unclipDistance)
        let skew = abs(axis.x * other.rect.axis.y - axis.y * other.rect.axis.x)
        guard gap >= 0, across < height / 2, skew < Self.maxSkew else { return nil }
        return (gap, along > 0)
    }
}
