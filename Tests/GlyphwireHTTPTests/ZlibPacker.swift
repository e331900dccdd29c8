import CZlib

/// Compresses bytes as clients do.
enum ZlibPacker {
    /// Container format: zlib's `windowBits`.
    enum Wrapping: Int32 {
        case gzip = 31
        case zlib = 15
        case bare = -15
    }

    static func pack(_ bytes: [UInt8], _ wrapping: Wrapping) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream,
            9,
            Z_DEFLATED,
            wrapping.rawValue,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 100 + 64)
        return input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                deflate(&stream, Z_FINISH)
                return Array(output.prefix(output.count - Int(stream.avail_out)))
            }
        }
    }
}
