internal import ImageCodecs

/// A rectified line as a gray image: ``LineSize/height`` rows of ``width`` numbers, 0...255.
///
/// Its memory is a pooled buffer that is kept from one line to the next, so that a steady stream allocates nothing.
final class LineImage {
    /// The number of columns.
    private(set) var width = 0
    private var buffer = ScratchBuffer<Float>()

    /// Makes room for a line of `width` columns, whose pixels are then undefined.
    func resize(width: Int) {
        self.width = width
        self.buffer.reserve(width * LineSize.height)
    }

    /// The top-left pixel; only to be used after room was made.
    var base: UnsafeMutablePointer<Float> { self.buffer.base }

    /// Samples a line from a frame.
    ///
    /// - Parameters:
    ///   - view: The frame as it was sent.
    ///   - map: The map from the rectified line to sent pixels.
    ///   - width: The width of the rectified line.
    func rectify(_ view: PixelView, map: Homography, width: Int) {
        self.resize(width: width)
        LineSampler.sample(view, map: map, width: width, height: LineSize.height, gray: self.base)
    }
}
