extension PixelBuffer {
    /// Takes pixels with transparency, as they appear on their ``Backdrop``.
    ///
    /// - Parameters:
    ///   - samples: The rows, the colours of each pixel and behind them its alpha, by which they are not multiplied.
    ///   - channels: 4 for blue, green, red and alpha, 2 for gray and alpha.
    package mutating func lay(_ samples: [UInt8], channels: Int) {
        let backdrop = Backdrop.gray(for: samples, width: self.width, channels: channels)
        unsafe self.withMutableBytes { unsafe Self.put(samples, channels: channels, on: backdrop, into: $0) }
    }

    /// Mixes each pixel with `backdrop` by its alpha, the last of its channels.
    private static func put(
        _ samples: [UInt8],
        channels: Int,
        on backdrop: UInt8,
        into pixels: UnsafeMutableRawBufferPointer
    ) {
        let colours = channels - 1
        let stride = channels == 2 ? 1 : channels
        for pixel in 0..<samples.count / channels {
            let alpha = Int(samples[pixel * channels + colours])
            for channel in 0..<colours {
                let mixed = Int(samples[pixel * channels + channel]) * alpha + Int(backdrop) * (255 - alpha)
                unsafe pixels[pixel * stride + channel] = UInt8((mixed + 127) / 255)
            }
            if stride > colours { unsafe pixels[pixel * stride + colours] = 255 }
        }
    }
}
