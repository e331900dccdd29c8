/// What a frame or a message may measure, and what its answer may; the server says the first four in `hello`.
public struct WireLimits: Sendable, Hashable {
    /// The largest value of a message's length field; 64 MiB by default, which is two 4K frames of raw BGRA.
    public var maxMessageBytes: Int
    /// Pixels of one frame; 36 Mi by default, which takes 8K (7680 x 4320) and A4 at 600 dots an inch (4961 x 7016).
    ///
    /// A JPEG may have more, see ``maxJPEGPixels``.
    public var maxPixels: Int
    /// Pixels of one side of a frame; 65535 by default, which is what a frame's header can say.
    public var maxSide: Int
    /// Bytes of a `configure` body; 64 KiB by default.
    public var maxConfigureBytes: Int
    /// Bytes of pixels that a byte of LZ4 may stand for; 255 by default, which is the most that LZ4 can do.
    public var maxLZ4Ratio: Int
    /// Scans of one JPEG; 50 by default, where encoders make about 10.
    ///
    /// A scan of a few bytes passes over every block of the picture. Of 8K gray pixels a scan takes 6 ms; the 500 that
    /// libjpeg-turbo would allow kept a worker busy for 3 s with a file of 92 kB.
    public var maxJPEGScans: Int
    /// Words of one result; 10,000 by default, and a result that has more is cut off and says so.
    public var maxWords: Int

    /// Limits, each with its default.
    public init(
        maxMessageBytes: Int = 64 << 20,
        maxPixels: Int = 36 << 20,
        maxSide: Int = 65535,
        maxConfigureBytes: Int = 64 << 10,
        maxLZ4Ratio: Int = 255,
        maxJPEGScans: Int = 50,
        maxWords: Int = 10_000
    ) {
        self.maxMessageBytes = maxMessageBytes
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxConfigureBytes = maxConfigureBytes
        self.maxLZ4Ratio = maxLZ4Ratio
        self.maxJPEGScans = maxJPEGScans
        self.maxWords = maxWords
    }

    /// Pixels of one JPEG: four times ``maxPixels``, since beyond that it is decoded at half its width and height.
    ///
    /// Phones take photographs of 48 to 108 megapixels.
    public var maxJPEGPixels: Int { self.maxPixels > .max / 4 ? .max : 4 * self.maxPixels }
}
