/// Fills rows with the mean colour of the row above them.
///
/// The decoder's output for damaged data must not be read as text, and neither must the edge of a blank area.
///
/// - Parameters:
///   - pixels: Rows without padding, with at least one before `start`.
///   - start: Offset of the first row to fill.
///   - bytesPerRow: The length of a row.
///   - format: The format of the pixels.
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
