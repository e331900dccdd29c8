internal import GlyphwireProtocol
internal import ImageCodecs
internal import TextModel

/// Place of a picture on its page of PDF: upright, in the size that its resolution gives.
///
/// Points of a page are from its lower left corner, y upwards.
struct PDFPlacement {
    /// Pixels an inch of a picture that states no resolution: a usual one of scans.
    private static let usualResolution: Float = 150
    private static let pointsPerInch: Float = 72
    /// The longest side of a page in points (ISO 32000-1, annex C).
    private static let maxSide: Float = 14_400

    /// Width of the page in points.
    let width: Float
    /// Height of the page in points.
    let height: Float
    private let text: FrameText
    /// Points for each pixel of the upright picture, from left to right and from top to bottom.
    private let scale: (horizontal: Float, vertical: Float)

    /// Creates the place of the picture of `text`, of which a resolution may be known.
    init(of text: FrameText, resolution: PictureResolution?) {
        let columns = Self.pointsPerInch / (resolution?.horizontal ?? Self.usualResolution)
        let rows = Self.pointsPerInch / (resolution?.vertical ?? Self.usualResolution)
        let (horizontal, vertical) = text.orientation.swapsAxes ? (rows, columns) : (columns, rows)
        let size = text.orientation.uprightSize(width: text.width, height: text.height)
        let (width, height) = (Float(size.width) * horizontal, Float(size.height) * vertical)
        let share = min(1, Self.maxSide / max(width, height))
        (self.width, self.height) = (width * share, height * share)
        self.scale = (horizontal * share, vertical * share)
        self.text = text
    }

    /// The corners of the picture on the page.
    var picture: Quad {
        self.place(Quad(x: 0, y: 0, width: Float(self.text.width), height: Float(self.text.height)))
    }

    /// The corners on the page of a box in pixels of the picture as stored.
    func place(_ box: Quad) -> Quad {
        box.mapCorners { corner in
            let upright = self.text.orientation.upright(corner, width: self.text.width, height: self.text.height)
            return Point(x: upright.x * self.scale.horizontal, y: self.height - upright.y * self.scale.vertical)
        }
    }
}
