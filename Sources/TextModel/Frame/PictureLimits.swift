/// Limits on the size of a picture and on the work of decoding it.
public struct PictureLimits: Sendable, Hashable {
    /// Pixels of one frame; 36 Mi by default, which takes 8K (7680 x 4320) and A4 at 600 dots an inch (4961 x 7016).
    ///
    /// A JPEG may have more, see ``maxJPEGPixels``.
    public var maxPixels: Int
    /// Pixels of one side of a frame; 65535 by default, which is what a frame's header can say.
    public var maxSide: Int
    /// Bytes of pixels that a byte of LZ4 may stand for; 255 by default, which is the most that LZ4 can do.
    public var maxLZ4Ratio: Int
    /// Scans of one JPEG; 50 by default, where encoders make about 10.
    ///
    /// A scan of a few bytes passes over every block of the picture. Of 8K gray pixels a scan takes 6 ms; the 500 that
    /// libjpeg-turbo would allow kept a worker busy for 3 s with a file of 92 kB.
    public var maxJPEGScans: Int

    /// Limits, each with its default.
    public init(maxPixels: Int = 36 << 20, maxSide: Int = 65535, maxLZ4Ratio: Int = 255, maxJPEGScans: Int = 50) {
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxLZ4Ratio = maxLZ4Ratio
        self.maxJPEGScans = maxJPEGScans
    }

    /// Pixels of one JPEG: four times ``maxPixels``, since beyond that it is decoded at half its width and height.
    ///
    /// Phones take photographs of 48 to 108 megapixels.
    public var maxJPEGPixels: Int { self.maxPixels > .max / 4 ? .max : 4 * self.maxPixels }
}
