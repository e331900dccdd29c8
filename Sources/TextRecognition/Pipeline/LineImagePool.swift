/// Buffers for rectified lines, of one thread; a steady stream of frames allocates none.
///
/// A line's image is a few hundred kilobytes, which the allocator would map and unmap for each line.
final class LineImagePool {
    private var idle: [LineImage] = []

    /// An image, its contents undefined; ``recycle(_:)`` it when nothing reads it any more.
    func take() -> LineImage { self.idle.popLast() ?? LineImage() }

    /// Takes an image back.
    func recycle(_ image: LineImage) { self.idle.append(image) }
}
