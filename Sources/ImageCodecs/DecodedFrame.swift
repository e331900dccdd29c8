public import TextModel

/// Decoded pixels of a frame, with what was found while decoding.
public struct DecodedFrame {
    /// The pixels; those of rows that may be damaged are blank.
    public let pixels: PixelView
    /// Orientation of the pixels.
    public let orientation: Orientation
    /// Width of the frame as sent; the pixels may be fewer if a JPEG was decoded at a reduced scale, or more if they were made
    /// square.
    public let width: Int
    /// Height of the frame as sent.
    public let height: Int
    /// Number of rows, of the frame as sent, above any damage.
    public let intactRows: Int
    /// Irregularities found while decoding, or before in the file that the pixels come from.
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

    /// Creates an undamaged frame from raw pixels.
    init(pixels: PixelView, orientation: Orientation, warnings: [FrameWarning]) {
        self.init(
            pixels: pixels,
            orientation: orientation,
            width: pixels.width,
            height: pixels.height,
            intactRows: pixels.height,
            warnings: warnings
        )
    }
}
