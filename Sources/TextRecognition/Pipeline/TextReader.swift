public import ImageCodecs
public import TextModel

/// What a reader found in one frame, and what it cost.
public struct Reading: Sendable {
    /// The lines in reading order, boxes in pixels of the frame as it was sent.
    public var lines: [TextLine]
    /// How the picture was turned to be read; `nil` for as its caller said.
    public var orientation: Orientation?
    /// Time spent finding where text is.
    public var detect: Duration
    /// Time spent reading it and placing words and characters.
    public var recognize: Duration

    /// A reading of `lines`.
    public init(lines: [TextLine], orientation: Orientation? = nil, detect: Duration, recognize: Duration) {
        self.lines = lines
        self.orientation = orientation
        self.detect = detect
        self.recognize = recognize
    }
}

/// Reads text in pictures, one at a time; every worker thread has its own.
///
/// A reader keeps its buffers between frames and is not safe to share.
public protocol TextReader: AnyObject {
    /// Reads one picture.
    ///
    /// - Parameters:
    ///   - pixels: The picture as it was sent.
    ///   - orientation: How it must be turned to stand upright.
    ///   - options: What the client wants to know.
    /// - Returns: The text, with boxes in pixels of the picture as it was sent.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails.
    func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(RecognitionError)
        -> Reading

    /// At which size a picture of `width` x `height` is scanned for text; ``DetectionScale/full`` where that is not known.
    func detectionScale(width: Int, height: Int, options: ReadingOptions) -> DetectionScale
}

extension TextReader {
    /// Reads a decoded picture file.
    ///
    /// - Parameters:
    ///   - picture: The picture, with the orientation that its file has.
    ///   - options: What to read and how.
    /// - Returns: The text, with boxes in pixels of the picture as it is stored.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails.
    public func read(
        _ picture: Picture,
        options: ReadingOptions = ReadingOptions()
    ) throws(RecognitionError) -> Reading {
        try picture.pixels.withPixels { (pixels) throws(RecognitionError) in
            try self.read(pixels, orientation: picture.orientation, options: options)
        }
    }

    /// The size as it is.
    public func detectionScale(width: Int, height: Int, options: ReadingOptions) -> DetectionScale { .full }
}

/// At which size a picture is scanned for text.
public struct DetectionScale: Sendable, Hashable {
    /// By what the picture's sides are multiplied.
    public let scale: Float
    /// The same as a share of what it is for a picture of usual size: less than 1 where its smallest text may be lost.
    public let reduction: Float

    /// A picture that is scanned as it is.
    public static let full = DetectionScale(scale: 1, reduction: 1)

    /// A picture that is scanned at a scale.
    public init(scale: Float, reduction: Float) {
        self.scale = scale
        self.reduction = reduction
    }

    /// By what the sides of a picture may be multiplied before it is read: lines that are found are 12 pixels high and more at
    /// the scale at which it is scanned, and are recognized at a height of 48.
    public var leastDecodingScale: Float { min(1, Self.recognitionReserve * self.scale) }

    /// The lowest lines that are found have three quarters of the pixels then that they are recognized with.
    private static let recognitionReserve: Float = 3
}
