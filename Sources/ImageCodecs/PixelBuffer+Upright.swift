public import TextModel

extension PixelBuffer {
    /// The picture as an upright reader sees it.
    ///
    /// - Parameter orientation: How these rows and columns lie.
    /// - Returns: The picture with its rows from top to bottom and its columns from left to right; itself for
    ///   ``Orientation/up``.
    public func upright(from orientation: Orientation) -> PixelBuffer {
        if orientation == .up { return self }
        let size = orientation.uprightSize(width: self.width, height: self.height)
        var upright = PixelBuffer(width: size.width, height: size.height, format: self.format)
        let (step, bytesPerPixel) = (
            orientation.steps(inRowsOf: self.width, count: self.height), self.format.bytesPerPixel
        )
        self.withPixels { source in
            unsafe upright.withMutableBytes { target in
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let from = (step.start + x * step.right + y * step.down) * bytesPerPixel
                        let to = (y * size.width + x) * bytesPerPixel
                        for channel in 0..<bytesPerPixel {
                            unsafe target[to + channel] = source.base.load(
                                fromByteOffset: from + channel,
                                as: UInt8.self
                            )
                        }
                    }
                }
            }
        }
        return upright
    }
}

extension Orientation {
    /// Where in the sent pixels, counted row by row, the upright picture starts, and how far its next column and row are.
    fileprivate func steps(inRowsOf width: Int, count height: Int) -> (start: Int, right: Int, down: Int) {
        let (right, bottom) = (width - 1, (height - 1) * width)
        return switch self {
        case .up: (0, 1, width)
        case .upMirrored: (right, -1, width)
        case .down: (right + bottom, -1, -width)
        case .downMirrored: (bottom, 1, -width)
        case .leftMirrored: (0, width, 1)
        case .right: (bottom, -width, 1)
        case .rightMirrored: (right + bottom, -width, -1)
        case .left: (right, width, -1)
        }
    }
}
