internal import NIOCore

extension ByteBuffer {
    /// Appends `bytes` in Base64 of RFC 4648, padded.
    mutating func writeBase64(_ bytes: ByteBufferView) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let byteCount = (bytes.count + 2) / 3 * 4
        self.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { target in
            bytes.withUnsafeBytes { source in
                var written = 0
                for start in stride(from: 0, to: source.count, by: 3) {
                    let left = min(source.count - start, 3)
                    var group = UInt32(source[start]) << 16
                    if left > 1 { group |= UInt32(source[start + 1]) << 8 }
                    if left > 2 { group |= UInt32(source[start + 2]) }
                    for digit in 0..<4 {
                        let value = Int(group >> UInt32(18 - 6 * digit)) & 63
                        target[written] = digit <= left ? alphabet[value] : UInt8(ascii: "=")
                        written += 1
                    }
                }
            }
            return byteCount
        }
    }
}
