internal import CLZ4

/// LZ4 encoder for pixels.
package enum LZ4Encoder {
    /// Compresses the rows of `pixels` into one LZ4 block.
    ///
    /// - Parameter pixels: Pixels of any format.
    /// - Returns: The block, without a header.
    /// - Throws: ``PictureError`` if the pixels exceed LZ4's limit of 2 GB.
    package static func block(of pixels: PixelBuffer) throws(PictureError) -> [UInt8] {
        let capacity = Int32(exactly: pixels.bytes.count).map { LZ4_compressBound($0) } ?? 0
        var count: Int32 = 0
        let block = unsafe [UInt8](unsafeUninitializedCapacity: Int(capacity)) { block, initializedCount in
            unsafe pixels.bytes.withUnsafeBytes { bytes in
                count = unsafe LZ4_compress_default(
                    bytes.bindMemory(to: CChar.self).baseAddress,
                    UnsafeMutableRawPointer(block.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    Int32(truncatingIfNeeded: bytes.count),
                    capacity
                )
            }
            initializedCount = Int(max(count, 0))
        }
        guard count > 0 else {
            throw PictureError(
                .tooLarge,
                "\(pixels.width) x \(pixels.height) pixels do not fit into one LZ4 block; make the picture smaller"
            )
        }
        return block
    }
}
