/// Orientation of the stored rows and columns: the eight values of EXIF tag 0x0112.
///
/// A camera that lies on its right side stores pictures that must be turned a quarter clockwise, and reports ``right``
/// (6).
public enum Orientation: UInt8, Sendable, CaseIterable {
    /// 1: as stored.
    case up = 1
    /// 2: mirrored left to right.
    case upMirrored = 2
    /// 3: half a turn.
    case down = 3
    /// 4: mirrored top to bottom.
    case downMirrored = 4
    /// 5: mirrored along the main diagonal (transposed).
    case leftMirrored = 5
    /// 6: needs a quarter turn clockwise.
    case right = 6
    /// 7: mirrored along the other diagonal.
    case rightMirrored = 7
    /// 8: needs a quarter turn counter-clockwise.
    case left = 8

    /// Whether width and height of the upright picture are those of the sent picture swapped.
    @inlinable
    public var swapsAxes: Bool { self.rawValue >= 5 }
}

extension Orientation {
    /// The orientation of a frame that needs further quarter turns clockwise after this one.
    public func turned(byQuarterTurns quarterTurns: Int) -> Orientation {
        // Each value is the one before it plus a quarter turn.
        let circle: [Orientation] =
            switch self {
            case .up, .right, .down, .left: [.up, .right, .down, .left]
            case .upMirrored, .rightMirrored, .downMirrored, .leftMirrored:
                [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored]
            }
        let index = circle.firstIndex(of: self) ?? 0
        return circle[(index + quarterTurns % 4 + 4) % 4]
    }
    /// Size of a `width` x `height` frame once it is upright.
    @inlinable
    public func uprightSize(width: Int, height: Int) -> (width: Int, height: Int) {
        self.swapsAxes ? (height, width) : (width, height)
    }

    /// Converts a point of the upright picture to the frame as sent.
    ///
    /// Coordinates are continuous: the pixel in the first row and column covers 0...1 on both axes, so a mirror maps x
    /// to `width - x`.
    ///
    /// - Parameters:
    ///   - point: In upright pixels.
    ///   - width: Of the frame as sent, in pixels.
    ///   - height: Of the frame as sent, in pixels.
    /// - Returns: The same point in sent pixels.
    @inlinable
    public func sent(_ point: Point, width: Int, height: Int) -> Point {
        let (x, y) = (point.x, point.y)
        let (w, h) = (Float(width), Float(height))
        switch self {
        case .up: return Point(x: x, y: y)
        case .upMirrored: return Point(x: w - x, y: y)
        case .down: return Point(x: w - x, y: h - y)
        case .downMirrored: return Point(x: x, y: h - y)
        case .leftMirrored: return Point(x: y, y: x)
        case .right: return Point(x: y, y: h - x)
        case .rightMirrored: return Point(x: w - y, y: h - x)
        case .left: return Point(x: w - y, y: x)
        }
    }

    /// Converts a point of the frame as sent to the upright picture; the inverse of ``sent(_:width:height:)``.
    ///
    /// - Parameters:
    ///   - point: In sent pixels.
    ///   - width: Of the frame as sent, in pixels.
    ///   - height: Of the frame as sent, in pixels.
    /// - Returns: The same point in upright pixels.
    @inlinable
    public func upright(_ point: Point, width: Int, height: Int) -> Point {
        let (x, y) = (point.x, point.y)
        let (w, h) = (Float(width), Float(height))
        switch self {
        case .up: return Point(x: x, y: y)
        case .upMirrored: return Point(x: w - x, y: y)
        case .down: return Point(x: w - x, y: h - y)
        case .downMirrored: return Point(x: x, y: h - y)
        case .leftMirrored: return Point(x: y, y: x)
        case .right: return Point(x: h - y, y: x)
        case .rightMirrored: return Point(x: h - y, y: w - x)
        case .left: return Point(x: y, y: w - x)
        }
    }
}
