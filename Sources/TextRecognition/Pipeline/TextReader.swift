public import ImageCodecs
public import TextModel

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
