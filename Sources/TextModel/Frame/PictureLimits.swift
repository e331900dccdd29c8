/// Limits on the size of a picture and on the work of decoding it.
public struct PictureLimits: Sendable, Hashable {
    /// Maximum number of pixels of a frame; 36 Mi by default.
    ///
    /// That takes 8K (7680 x 4320) and A4 at 600 dots per inch (4961 x 7016). A JPEG may have more, see
    /// ``maxJPEGPixels``.
    public var maxPixels: Int
    /// Maximum width and height of a frame; 65535 by default, the largest value that a frame's header can hold.
    public var maxSide: Int
    /// Maximum compression ratio of LZ4 data; 255 by default, the highest that LZ4 can reach.
    public var maxLZ4Ratio: Int
    /// Maximum number of scans in a JPEG; 50 by default.
    ///
    /// Encoders write about 10.
    ///
    /// Even a scan of a few bytes passes over every block of the picture, which takes 6 ms for 8K gray pixels. The 500
    /// scans that libjpeg-turbo allows kept a worker busy for 3 s with a file of 92 kB. With 50, the slowest picture of
    /// 36 Mi pixels takes 0.8 s if it is progressive (four components), and 0.6 s if not.
    public var maxJPEGScans: Int

    /// Creates limits, each with its default.
    public init(maxPixels: Int = 36 << 20, maxSide: Int = 65535, maxLZ4Ratio: Int = 255, maxJPEGScans: Int = 50) {
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxLZ4Ratio = maxLZ4Ratio
        self.maxJPEGScans = maxJPEGScans
    }

    /// Maximum number of pixels of a JPEG of one scan: four times ``maxPixels``.
    ///
    /// Beyond ``maxPixels`` it is decoded at half its width and height. Phones take photographs of 48 to 108 megapixels.
    /// The coefficients of one with several scans, as every progressive one, are kept whole until the last.
    public var maxJPEGPixels: Int { self.maxPixels > .max / 4 ? .max : 4 * self.maxPixels }
}
