package import ImageCodecs
package import TextModel

/// A frame as it was sent, looked at as an upright picture.
package struct UprightFrame: Sendable {
    package let view: PixelView
    package let orientation: Orientation
    /// Of the upright picture.
    package let width: Int
    /// Of the upright picture.
    package let height: Int

    package init(_ view: PixelView, orientation: Orientation) {
        self.view = view
        self.orientation = orientation
        (self.width, self.height) = orientation.uprightSize(width: view.width, height: view.height)
    }

    /// Where an upright place lies in the frame as it was sent.
    func sent(_ point: Point) -> Point {
        self.orientation.sent(point, width: self.view.width, height: self.view.height)
    }

    /// Where an upright quad lies in the frame as it was sent; its corners stay in reading direction.
    package func sent(_ quad: Quad) -> Quad { quad.mapCorners(self.sent) }

    /// Where an upright rectangle lies in the frame as it was sent.
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

    /// The upright pixels that `region` covers, at least one.
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
    /// Where a quad of the frame as it was sent lies in the upright picture.
    package func upright(_ quad: Quad) -> Quad {
        quad.mapCorners { self.orientation.upright($0, width: self.view.width, height: self.view.height) }
    }
}
