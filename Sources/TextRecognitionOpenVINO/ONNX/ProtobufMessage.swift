internal import Foundation

/// A protocol-buffers message as the list of its fields, which can be changed and written again.
///
/// Nothing is known of what the fields mean, so those that are left alone come out as they went in.
/// https://protobuf.dev/programming-guides/encoding/
struct ProtobufMessage: Equatable {
    /// What a field holds.
    enum Value: Equatable {
        case varint(UInt64)
        /// Eight bytes, or four.
        case fixed(Data)
        /// A text, a list of numbers or a message of its own.
        case bytes(Data)
    }

    /// A field with its number.
    struct Field: Equatable {
        var number: Int
        var value: Value
    }

    var fields: [Field] = []

    init(_ fields: [Field] = []) { self.fields = fields }

    /// Reads a message; `nil` where a field is cut off or of a kind that does not exist.
    init?(_ data: Data) {
        var rest = data
        while !rest.isEmpty {
            guard let field = Self.field(&rest) else { return nil }
            self.fields.append(field)
        }
    }

    /// The contents of all fields of a number.
    func bytes(_ number: Int) -> [Data] {
        self.fields.compactMap { field in
            guard field.number == number, case .bytes(let data) = field.value else { return nil }
            return data
        }
    }

    /// The integers of all fields of a number.
    func numbers(_ number: Int) -> [Int] {
        self.fields.compactMap { field in
            guard field.number == number, case .varint(let value) = field.value else { return nil }
            return Int(truncatingIfNeeded: value)
        }
    }

    /// The first text of a number; empty where there is none.
    func text(_ number: Int) -> String {
        self.bytes(number).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The message as it is written.
    var serialized: Data {
        var data = Data()
        for field in self.fields {
            switch field.value {
            case .varint(let value):
                Self.append(UInt64(field.number) << 3, to: &data)
                Self.append(value, to: &data)
            case .fixed(let value):
                Self.append(UInt64(field.number) << 3 | (value.count == 8 ? 1 : 5), to: &data)
                data.append(value)
            case .bytes(let value):
                Self.append(UInt64(field.number) << 3 | 2, to: &data)
                Self.append(UInt64(value.count), to: &data)
                data.append(value)
            }
        }
        return data
    }

    private static func field(_ rest: inout Data) -> Field? {
        guard let tag = Self.varint(&rest) else { return nil }
        let number = Int(tag >> 3)
        switch tag & 7 {
        case 0: return Self.varint(&rest).map { Field(number: number, value: .varint($0)) }
        case 1: return Self.take(8, &rest).map { Field(number: number, value: .fixed($0)) }
        case 2:
            guard let count = Self.varint(&rest) else { return nil }
            return Self.take(count, &rest).map { Field(number: number, value: .bytes($0)) }
        case 5: return Self.take(4, &rest).map { Field(number: number, value: .fixed($0)) }
        default: return nil
        }
    }

    private static func take(_ count: UInt64, _ rest: inout Data) -> Data? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private static func varint(_ rest: inout Data) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func append(_ value: UInt64, to data: inout Data) {
        var rest = value
        while rest >= 0x80 {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }
}

extension ProtobufMessage.Field {
    static func text(_ number: Int, _ text: String) -> Self { Self(number: number, value: .bytes(Data(text.utf8))) }

    static func message(_ number: Int, _ fields: [ProtobufMessage.Field]) -> Self {
        Self(number: number, value: .bytes(ProtobufMessage(fields).serialized))
    }

    static func number(_ number: Int, _ value: Int) -> Self {
        Self(number: number, value: .varint(UInt64(truncatingIfNeeded: value)))
    }
}
