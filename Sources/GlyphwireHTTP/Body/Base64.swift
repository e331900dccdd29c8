internal import FoundationEssentials
internal import NIOCore

/// Base64 of RFC 4648 as clients send it: in either alphabet, with or without padding, spaces and line breaks.
enum Base64 {
    // What a byte of a text stands for that is no digit.
    private static let space: UInt8 = 64
    private static let padding: UInt8 = 65
    private static let other: UInt8 = 66

    /// The value of each byte as a digit, or what else it stands for.
    private static let values: [UInt8] = (UInt8.min...UInt8.max).map { byte in
        switch Unicode.Scalar(byte) {
        case "A"..."Z": byte - UInt8(ascii: "A")
        case "a"..."z": byte - UInt8(ascii: "a") + 26
        case "0"..."9": byte - UInt8(ascii: "0") + 52
        case "+", "-": 62
        case "/", "_": 63
        case "\r", "\n", "\t", " ": Self.space
        case "=": Self.padding
        default: Self.other
        }
    }

    /// Number of bytes that are allocated to decode a text of `count` bytes.
    static func decodedByteCount(ofText count: Int) -> Int { count / 4 * 3 + 2 }

    /// Decodes `text`; `nil` if it is truncated or has other characters.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let values = Self.values
        var decoded: [UInt8] = []
        decoded.reserveCapacity(Self.decodedByteCount(ofText: text.count))
        /// The digits of the last group of four.
        var bits: UInt32 = 0
        var (digitCount, paddingCount) = (0, 0)
        for byte in text {
            switch values[Int(byte)] {
            case let digit where digit < Self.space:
                guard paddingCount == 0 else { return nil }
                bits = bits << 6 | UInt32(digit)
                digitCount += 1
                guard digitCount.isMultiple(of: 4) else { continue }
                decoded.append(UInt8(truncatingIfNeeded: bits >> 16))
                decoded.append(UInt8(truncatingIfNeeded: bits >> 8))
                decoded.append(UInt8(truncatingIfNeeded: bits))
            case Self.space: continue
            case Self.padding: paddingCount += 1
            default: return nil
            }
        }
        switch (digitCount % 4, paddingCount) {
        case (0, 0): break
        case (2, 0), (2, 2): decoded.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 0), (3, 1):
            decoded.append(UInt8(truncatingIfNeeded: bits >> 10))
            decoded.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return decoded
    }

    /// The first ASCII character of `text` that is not in base64; `nil` if there is none.
    static func firstOther(in text: some Collection<UInt8>) -> UInt8? {
        text.first { $0 < 0x80 && Self.values[Int($0)] == Self.other }
    }
}

extension ByteBuffer {
    /// Appends `bytes` in Base64 of RFC 4648, padded.
    mutating func writeBase64(_ bytes: ByteBufferView) {
        self.writeBytes(bytes.withUnsafeBytes { Data(borrowing: $0).base64EncodedData() })
    }
}

extension Data {
    /// Wraps the bytes at `memory` without copying them; they must outlive the data.
    fileprivate init(borrowing memory: UnsafeRawBufferPointer) {
        guard let start = memory.baseAddress else {
            self.init()
            return
        }
        self.init(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: memory.count, deallocator: .none)
    }
}
