public import TextModel

/// A frame's pixels, and what decoding them has shown.
public struct DecodedFrame {
    /// The pixels; those of rows that may be damaged are blank.
    public let pixels: PixelView
    /// The way they lie.
    public let orientation: Orientation
    /// Of the frame as it was sent; the pixels may be fewer, where a JPEG was decoded at a reduced scale.
    public let width: Int
    /// Of the frame as it was sent.
    public let height: Int
    /// How many rows, of the frame as it was sent, come before what may be damaged.
    public let intactRows: Int
    /// What was odd.
    public let warnings: [FrameWarning]

    init(
        pixels: PixelView,
        orientation: Orientation,
        width: Int,
        height: Int,
        intactRows: Int,
        warnings: [FrameWarning]
    ) {
        self.pixels = pixels
        self.orientation = orientation
        self.width = width
        self.height = height
        self.intactRows = intactRows
        self.warnings = warnings
    }

    /// A whole frame that was sent as its pixels.
    init(pixels: PixelView, orientation: Orientation) {
        self.init(
            pixels: pixels,
            orientation: orientation,
            width: pixels.width,
            height: pixels.height,
            intactRows: pixels.height,
            warnings: []
        )
    }
}
