public import ImageCodecs
public import TextModel

/// Result of reading one frame, with its stage times.
public struct Reading: Sendable {
    /// Lines in reading order, with boxes in pixels of the frame as sent.
    public var lines: [TextLine]
    /// Orientation in which the frame was read: the detected one if that was asked for, else the caller's.
    public var orientation: Orientation?
    /// Time of text detection.
    public var detect: Duration
    /// Time of text recognition, with the localization of words and characters.
    public var recognize: Duration

    /// Creates a result with `lines`.
    public init(lines: [TextLine], orientation: Orientation? = nil, detect: Duration, recognize: Duration) {
        self.lines = lines
        self.orientation = orientation
        self.detect = detect
        self.recognize = recognize
    }
}

/// Reader of text in pictures, one at a time; every worker thread has its own.
///
/// A reader keeps its buffers between frames and is not safe to share.
public protocol TextReader: AnyObject {
    /// Reads one picture.
    ///
    /// - Parameters:
    ///   - pixels: The picture as sent.
    ///   - orientation: The orientation of its rows and columns.
    ///   - options: The reading options.
    /// - Returns: The text, with boxes in pixels of the picture as sent.
    /// - Throws: ``RecognitionError`` if an option is not supported or inference fails.
    func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(RecognitionError)
        -> Reading

    /// Scale at which a picture of `width` x `height` is scanned; ``DetectionScale/full`` if unknown.
    func detectionScale(width: Int, height: Int, options: ReadingOptions) -> DetectionScale
}

extension TextReader {
    /// Reads a decoded picture file.
    ///
    /// - Parameters:
    ///   - picture: The picture, with the orientation of its file.
    ///   - options: The reading options.
    /// - Returns: The text, with boxes in pixels of the picture as stored.
    /// - Throws: ``RecognitionError`` if an option is not supported or inference fails.
    public func read(
        _ picture: Picture,
        options: ReadingOptions = ReadingOptions()
    ) throws(RecognitionError) -> Reading {
        try picture.pixels.withPixels { (pixels) throws(RecognitionError) in
            try self.read(pixels, orientation: picture.orientation, options: options)
        }
    }

    /// Full scale, by default.
    public func detectionScale(width: Int, height: Int, options: ReadingOptions) -> DetectionScale { .full }
}

/// Scale at which a picture is scanned for text.
public struct DetectionScale: Sendable, Hashable {
    /// Factor of the picture's sides.
    public let scale: Float
    /// Ratio of the scale to that of a picture of usual size; below 1, the smallest text may be lost.
    public let reduction: Float

    /// Scale of a picture that is scanned at its own size.
    public static let full = DetectionScale(scale: 1, reduction: 1)

    /// Creates a scale.
    public init(scale: Float, reduction: Float) {
        self.scale = scale
        self.reduction = reduction
    }

    /// Minimum scale at which a picture may be decoded before it is read.
    ///
    /// Detected lines are at least 12 pixels high at the scanning scale, and are recognized at a height of 48.
    public var minDecodingScale: Float { min(1, Self.recognitionReserve * self.scale) }

    /// Decoded scale relative to the scanning scale.
    ///
    /// With it the lowest detected lines have three quarters of the pixels used for recognition.
    private static let recognitionReserve: Float = 3
}
