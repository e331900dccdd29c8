/// Converts inverted CMYK pixels, as JPEG files store them, to BGRA in place.
///
/// Programs write CMYK to JPEG files inverted, 255 for no ink, with or without Adobe's marker, and readers such as
/// browsers expect that. A colour component is its ink times the black, as in Pillow. Each pixel is one number with two
/// products in its halves, so that the compiler vectorizes the loop.
///
/// - Parameter pixels: Whole pixels of four bytes, aligned to four.
func convertInvertedCMYKToBGRA(_ pixels: UnsafeMutableRawBufferPointer) {
    let pixels = unsafe pixels.bindMemory(to: UInt32.self)
    for index in 0..<pixels.count {
        let inks = unsafe UInt32(littleEndian: pixels[index])
        let black = inks >> 24
        let cyanAndYellow = (inks & 0xFF) << 16 | (inks >> 16) & 0xFF
        let redAndBlue = dividedBy255(cyanAndYellow &* black)
        let green = dividedBy255((inks >> 8 & 0xFF) &* black)
        unsafe pixels[index] = UInt32(littleEndian: 0xFF00_0000 | redAndBlue | green << 8)
    }
}

/// Two products of two bytes in the halves of one number, divided by 255 and rounded.
@inline(__always)
private func dividedBy255(_ products: UInt32) -> UInt32 {
    let rounded = products &+ 0x0080_0080
    return (rounded &+ (rounded >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
}
