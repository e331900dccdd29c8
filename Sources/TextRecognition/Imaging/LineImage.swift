internal import ImageCodecs

/// The brightness of a straightened line, 0...255, ``LineRecognizer/height`` rows of ``width`` numbers.
///
/// Kept from one line to the next, so that a steady stream allocates nothing.
final class LineImage {
    private(set) var width = 0
    private var pixels = ScratchBuffer<Float>()

    /// Makes room for a line, whose brightness is then undefined.
    func resize(width: Int) {
        self.width = width
        self.pixels.reserve(width * LineRecognizer.height)
    }

    /// The first number; only to be used after room was made.
    var base: UnsafeMutablePointer<Float> { self.pixels.base }

    /// Samples a line from a frame.
    ///
    /// - Parameters:
    ///   - view: The frame as it was sent.
    ///   - map: The map from the rectified line to sent pixels.
    ///   - width: The width of the rectified line.
    func rectify(_ view: PixelView, map: Homography, width: Int) {
        self.resize(width: width)
        LineSampler.sample(view, map: map, width: width, height: LineRecognizer.height, gray: self.base)
    }
}
