public import TextModel

extension PixelBuffer {
    /// Rotates the picture upright.
    ///
    /// - Parameter orientation: Orientation of these rows and columns.
    /// - Returns: The upright picture; itself for ``Orientation/up``.
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
    /// Offset of the upright picture's first pixel in the sent pixels, with the steps to its next column and row.
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
