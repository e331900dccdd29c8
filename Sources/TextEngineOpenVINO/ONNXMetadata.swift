internal import Foundation

/// The notes that an ONNX file carries beside its network, which OpenVINO's C interface does not hand out.
///
/// An ONNX file is one protocol-buffers message, `ModelProto`; its field 14, `metadata_props`, is a list of key (1) and
/// value (2) pairs. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
struct ONNXMetadata {
    private(set) var values: [String: String] = [:]

    /// Reads the metadata of the file at `path`.
    init(path: String) throws(OpenVINOError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw OpenVINOError(description: "cannot read the model file \(path); 'make setup' fetches it")
        }
        let read = unsafe data.withUnsafeBytes { bytes -> [String: String]? in
            var values: [String: String] = [:]
            var isWhole = true
            let model = unsafe ProtobufFields(bytes.bytes) { number, value in
                guard number == 14 else { return }
                var (key, text) = ("", "")
                let pair = ProtobufFields(value) { number, value in
                    if number == 1 { key = value.string }
                    if number == 2 { text = value.string }
                }
                isWhole = isWhole && pair.isComplete
                values[key] = text
            }
            return isWhole && model.isComplete ? values : nil
        }
        guard let read else {
            throw OpenVINOError(description: "the model file \(path) is damaged; 'make setup' fetches it anew")
        }
        self.values = read
    }
}

/// A walk over the length-delimited fields of one protocol-buffers message.
private struct ProtobufFields {
    /// Whether the message ended where its last field ended.
    private(set) var isComplete = false

    init(_ message: RawSpan, _ visit: (_ number: Int, _ value: RawSpan) -> Void) {
        var offset = 0
        while offset < message.byteCount {
            guard let tag = Self.varint(message, &offset) else { return }
            switch tag & 7 {
            case 0:
                guard Self.varint(message, &offset) != nil else { return }
            case 1: offset += 8
            case 5: offset += 4
            case 2:
                guard let count = Self.varint(message, &offset), count <= UInt64(message.byteCount - offset) else {
                    return
                }
                visit(Int(tag >> 3), message.extracting(offset..<offset + Int(count)))
                offset += Int(count)
            default: return
            }
        }
        self.isComplete = offset == message.byteCount
    }

    private static func varint(_ message: RawSpan, _ offset: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard offset < message.byteCount else { return nil }
            let byte = unsafe message.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}

extension RawSpan {
    fileprivate var string: String { unsafe self.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}
