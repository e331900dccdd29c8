internal import FoundationEssentials
internal import NIOCore

/// Base64 of RFC 4648 as clients send it: in either alphabet, with or without padding, spaces and line breaks.
enum Base64 {
    /// Decodes `text`; `nil` if it is truncated or has other characters.
    static func decode(_ text: some RandomAccessCollection<UInt8> & ContiguousBytes) -> [UInt8]? {
        // Nearly all texts are in the standard alphabet and padded.
        self.decode(standard: text) ?? self.decode(standard: self.standard(text))
    }

    private static func decode(standard text: some RandomAccessCollection<UInt8> & ContiguousBytes) -> [UInt8]? {
        // Foundation accepts padding of any length.
        let hasTooMuch = text.suffix(3).elementsEqual("===".utf8)
        guard text.count.isMultiple(of: 4), !hasTooMuch else { return nil }
        return text.withUnsafeBytes { Data(base64Encoded: Data(borrowing: $0)).map(Array.init) }
    }

    /// Converts the text to the standard alphabet, padded and without spaces and line breaks.
    private static func standard(_ text: some Collection<UInt8>) -> [UInt8] {
        var standard: [UInt8] = []
        standard.reserveCapacity(text.count + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: " "): continue
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            default: standard.append(byte)
            }
        }
        if standard.last != UInt8(ascii: "=") {
            while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        }
        return standard
    }

    /// The first ASCII character of `text` that is not in base64; `nil` if there is none.
    static func firstOther(in text: some Collection<UInt8>) -> UInt8? {
        text.first { byte in
            switch Unicode.Scalar(byte) {
            case "A"..."Z", "a"..."z", "0"..."9", "+", "/", "-", "_", "=", "\r", "\n", "\t", " ": false
            default: byte < 0x80
            }
        }
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
