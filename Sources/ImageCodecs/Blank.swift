/// Gives pixels the mean colour of the row in front of them.
///
/// What a decoder makes of damaged data must not be read as text, and the edge of a blank area must not, either.
///
/// - Parameters:
///   - pixels: Rows without padding, of which one at least comes before `start`.
///   - start: Where the first blank row begins.
///   - bytesPerRow: The length of a row.
///   - format: What a pixel is.
func blank(
    _ pixels: UnsafeMutableRawBufferPointer,
    from start: Int,
    bytesPerRow: Int,
    format: PixelFormat
) {
    let width = bytesPerRow / format.bytesPerPixel
    let last = start - bytesPerRow
    for channel in 0..<format.bytesPerPixel {
        var sum = 0
        for column in 0..<width { sum += unsafe Int(pixels[last + column * format.bytesPerPixel + channel]) }
        let mean = UInt8(sum / width)
        for place in stride(from: start + channel, to: pixels.count, by: format.bytesPerPixel) {
            unsafe pixels[place] = mean
        }
    }
}
