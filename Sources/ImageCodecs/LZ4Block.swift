internal import CLZ4
internal import TextModel

/// Codec for pixel rows in one LZ4 block, which has no header, checksum or end mark.
enum LZ4Block {
    /// Decompresses `block` into `rows`, which have room for the largest size of the rows of `frame`.
    static func decode(
        _ block: UnsafeRawBufferPointer,
        into rows: UnsafeMutableRawBufferPointer,
        of frame: FrameDescription
    ) throws(CodecError) {
        guard let size = Int32(exactly: block.count), let capacity = Int32(exactly: rows.count) else {
            throw CodecError(
                .lz4Corrupt,
                "an LZ4 block of \(block.count) bytes; LZ4 blocks are limited to 2 GB"
            )
        }
        let source = unsafe block.assumingMemoryBound(to: CChar.self).baseAddress
        let target = unsafe rows.assumingMemoryBound(to: CChar.self).baseAddress
        let byteCount = unsafe LZ4_decompress_safe(source, target, size, capacity)
        if byteCount >= 0 {
            guard frame.accepts(pixelByteCount: Int(byteCount)) else {
                throw frame.mismatch("the LZ4 block holds", Int(byteCount))
            }
            return
        }
        // A block with more data fails like a damaged one, but fills the rows if asked for no more than them.
        if unsafe LZ4_decompress_safe_partial(source, target, size, capacity, capacity) == capacity {
            throw frame.mismatch("the LZ4 block holds", nil)
        }
        throw unsafe CodecError(mistakenForLZ4Block: PeerBytes(block), of: frame)
            ?? CodecError(.lz4Corrupt, "the LZ4 block is damaged or cut off; send the whole block")
    }
}
