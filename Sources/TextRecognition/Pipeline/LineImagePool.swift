/// Pool of buffers for rectified lines, for one thread; a steady stream of frames allocates none.
///
/// A line's image is a few hundred kilobytes, which the allocator would map and unmap for each line.
final class LineImagePool {
    private var idle: [LineImage] = []

    /// Takes an image with undefined contents; ``recycle(_:)`` it after its last use.
    func take() -> LineImage { self.idle.popLast() ?? LineImage() }

    /// Returns an image to the pool.
    func recycle(_ image: LineImage) { self.idle.append(image) }
}
