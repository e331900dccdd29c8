/// Coordinate space of a `box`.
public enum CoordinateSpace: String, Sendable, Hashable, CaseIterable {
    /// Pixels of the frame as sent, in any orientation of the camera. The default.
    case sent
    /// Pixels of the upright picture.
    case upright
    /// Fractions 0...1 of the upright picture, with the origin at the **lower** left and y upwards, as in Apple's
    /// Vision.
    case vision
}

extension CoordinateSpace {
    /// Converts a point of the frame as sent to this space.
    ///
    /// - Parameters:
    ///   - point: In sent pixels.
    ///   - orientation: Of the stored rows and columns.
    ///   - width: Of the frame as sent, in pixels.
    ///   - height: Of the frame as sent, in pixels.
    /// - Returns: The same point in this space.
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

    /// Converts a point of this space to sent pixels; the inverse of ``point(sent:orientation:width:height:)``.
    ///
    /// - Parameters:
    ///   - point: In this space.
    ///   - orientation: Of the stored rows and columns.
    ///   - width: Of the frame as sent, in pixels.
    ///   - height: Of the frame as sent, in pixels.
    /// - Returns: The same point in sent pixels.
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
