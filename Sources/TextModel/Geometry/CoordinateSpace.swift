/// What the numbers of a `box` mean.
public enum CoordinateSpace: String, Sendable, Hashable, CaseIterable {
    /// Pixels of the frame as it was sent, whichever way the camera was held. The default.
    case sent
    /// Pixels of the picture turned upright.
    case upright
    /// Fractions 0...1 of the upright picture, origin at its **lower** left and y upwards, as in Apple's Vision.
    case vision
}

extension CoordinateSpace {
    /// A place of the frame as it was sent, in this space's numbers.
    ///
    /// - Parameters:
    ///   - point: In sent pixels.
    ///   - orientation: How the frame must be turned.
    ///   - width: Of the frame as sent, in pixels.
    ///   - height: Of the frame as sent, in pixels.
    /// - Returns: The same place in this space.
    public func point(sent point: Point, orientation: Orientation, width: Int, height: Int) -> Point {
        switch self {
        case .sent:
            return point
        case .upright:
            return orientation.upright(point, width: width, height: height)
        case .vision:
            let upright = orientation.upright(point, width: width, height: height)
            let size = orientation.uprightSize(width: width, height: height)
            return Point(x: upright.x / Float(size.width), y: 1 - upright.y / Float(size.height))
        }
    }

    /// A place in this space's numbers, in pixels of the frame as it was sent; the inverse of
    /// ``point(sent:orientation:width:height:)``.
    ///
    /// - Parameters:
    ///   - point: In this space.
    ///   - orientation: How the frame must be turned.
    ///   - width: Of the frame as sent, in pixels.
    ///   - height: Of the frame as sent, in pixels.
    /// - Returns: The same place in sent pixels.
    public func sentPoint(_ point: Point, orientation: Orientation, width: Int, height: Int) -> Point {
        switch self {
        case .sent:
            return point
        case .upright:
            return orientation.sent(point, width: width, height: height)
        case .vision:
            let size = orientation.uprightSize(width: width, height: height)
            let upright = Point(x: point.x * Float(size.width), y: (1 - point.y) * Float(size.height))
            return orientation.sent(upright, width: width, height: height)
        }
    }
}
