/// The SHA-256 hash (FIPS 180-4), by which model files are verified.
package struct SHA256: ~Copyable {
    private static let blockByteCount = 64
    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// The state, which begins with the first 32 bits of the fractions of the square roots of the first 8 primes.
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The message schedule of the last block.
    private var schedule = [UInt32](repeating: 0, count: 64)

    private init() {}

    /// Returns the hash of `content` in lower-case hexadecimal digits.
    package static func hex(of content: [UInt8]) -> String {
        let bytes = content.span.bytes
        var hash = SHA256()
        let whole = bytes.byteCount / Self.blockByteCount * Self.blockByteCount
        for offset in stride(from: 0, to: whole, by: Self.blockByteCount) { hash.add(bytes, at: offset) }
        // The padding: a single 1 bit, zeros, and the length in bits.
        var tail = (whole..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        tail.append(0x80)
        while tail.count % Self.blockByteCount != Self.blockByteCount - 8 { tail.append(0) }
        let bitCount = UInt64(bytes.byteCount) * 8
        for shift in stride(from: 56, through: 0, by: -8) { tail.append(UInt8(truncatingIfNeeded: bitCount >> shift)) }
        for offset in stride(from: 0, to: tail.count, by: Self.blockByteCount) { hash.add(tail.span.bytes, at: offset) }
        return hash.state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Compresses the block at `offset` into the state.
    private mutating func add(_ bytes: RawSpan, at offset: Int) {
        for index in 0..<16 {
            self.schedule[index] =
                bytes.unsafeLoadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self).bigEndian
        }
        for index in 16..<64 {
            let (early, late) = (self.schedule[index - 15], self.schedule[index - 2])
            let first = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ early >> 3
            let second = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ late >> 10
            self.schedule[index] = self.schedule[index - 16] &+ first &+ self.schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (self.state[0], self.state[1], self.state[2], self.state[3])
        var (e, f, g, h) = (self.state[4], self.state[5], self.state[6], self.state[7])
        for index in 0..<64 {
            let choice = e & f ^ ~e & g
            let majority = a & b ^ a & c ^ b & c
            let mixed = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
            let first = h &+ mixed &+ choice &+ Self.constants[index] &+ self.schedule[index]
            let second = (Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { self.state[index] &+= value }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}
