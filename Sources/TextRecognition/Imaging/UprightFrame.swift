package import ImageCodecs
package import TextModel

/// An upright view of a frame as it was sent.
///
/// It maps between sent pixels, as they lie in memory, and upright pixels, in which lines are detected and ordered.
package struct UprightFrame: Sendable {
    /// The pixels as they were sent.
    package let view: PixelView
    /// How the frame must be turned to stand upright.
    package let orientation: Orientation
    /// The width in upright pixels.
    package let width: Int
    /// The height in upright pixels.
    package let height: Int

    package init(_ view: PixelView, orientation: Orientation) {
        self.view = view
        self.orientation = orientation
        (self.width, self.height) = orientation.uprightSize(width: view.width, height: view.height)
    }

    /// Returns an upright point in sent pixels.
    func sent(_ point: Point) -> Point {
        self.orientation.sent(point, width: self.view.width, height: self.view.height)
    }

    /// Returns an upright quad in sent pixels; its corners stay in reading direction.
    package func sent(_ quad: Quad) -> Quad { quad.mapCorners(self.sent) }

    /// Returns an upright rectangle in sent pixels.
    package func sent(_ rect: PixelRect) -> PixelRect {
        let a = self.sent(Point(x: Float(rect.x), y: Float(rect.y)))
        let b = self.sent(Point(x: Float(rect.x + rect.width), y: Float(rect.y + rect.height)))
        return PixelRect(
            x: Int(min(a.x, b.x)),
            y: Int(min(a.y, b.y)),
            width: Int(abs(a.x - b.x)),
            height: Int(abs(a.y - b.y))
        )
    }

    /// Returns the upright pixels that `region` covers, at least one.
    package func pixels(of region: Region) -> PixelRect {
        let x = min(Int(region.x * Double(self.width)), self.width - 1)
        let y = min(Int(region.y * Double(self.height)), self.height - 1)
        let endX = Int(((region.x + region.width) * Double(self.width)).rounded(.up))
        let endY = Int(((region.y + region.height) * Double(self.height)).rounded(.up))
        return PixelRect(
            x: x,
            y: y,
            width: max(1, min(endX, self.width) - x),
            height: max(1, min(endY, self.height) - y)
        )
    }
}

extension UprightFrame {
    /// Returns a quad of sent pixels in upright pixels.
    package func upright(_ quad: Quad) -> Quad {
        quad.mapCorners { self.orientation.upright($0, width: self.view.width, height: self.view.height) }
    }
}
