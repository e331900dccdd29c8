import CLZ4

/// LZ4 encoders of a client: those of the LZ4 library.
enum LZ4Encoder {
    /// A skippable frame.
    static let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 7, 7]

    static func block(_ rows: [UInt8]) -> [UInt8] {
        let capacity = LZ4_compressBound(Int32(rows.count))
        return [UInt8](unsafeUninitializedCapacity: Int(capacity)) { block, count in
            count = rows.withUnsafeBytes { rows in
                Int(
                    LZ4_compress_default(
                        rows.baseAddress?.assumingMemoryBound(to: CChar.self),
                        UnsafeMutableRawPointer(block.baseAddress)?.assumingMemoryBound(to: CChar.self),
                        Int32(rows.count),
                        capacity
                    )
                )
            }
        }
    }

    static func frame(
        _ rows: [UInt8],
        contentSize: Bool = false,
        checksums: Bool = false,
        blockSize: LZ4F_blockSizeID_t = LZ4F_max64KB,
        blockMode: LZ4F_blockMode_t = LZ4F_blockLinked,
        dictionary: UInt32 = 0
    ) -> [UInt8] {
        var preferences = LZ4F_preferences_t()
        preferences.frameInfo.contentSize = contentSize ? UInt64(rows.count) : 0
        preferences.frameInfo.contentChecksumFlag = checksums ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum
        preferences.frameInfo.blockChecksumFlag = checksums ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum
        preferences.frameInfo.blockSizeID = blockSize
        preferences.frameInfo.blockMode = blockMode
        preferences.frameInfo.dictID = dictionary
        let capacity = LZ4F_compressFrameBound(rows.count, &preferences)
        return [UInt8](unsafeUninitializedCapacity: capacity) { frame, count in
            count = LZ4F_compressFrame(frame.baseAddress, capacity, rows, rows.count, &preferences)
        }
    }
}
