#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Body of the type `multipart/form-data` (RFC 7578), taken apart without a copy of its parts.
struct MultipartForm {
    /// Field of the form.
    struct Field: Hashable {
        /// The name of the field.
        var name = ""
        /// The name of the file, if it is one.
        var fileName: String?
        /// The media type, if there is one.
        var contentType: String?
        /// Where the content is in the body.
        var range: Range<Int>
    }

    /// Why a body is refused, in words.
    struct Failure: Error, Hashable {
        let message: String
        init(_ message: String) { self.message = message }
    }

    /// The limit of fields.
    static let maxFields = 64
    /// The limit of the headers of a field, in bytes.
    static let maxHeaderByteCount = 8192
    /// The limit of a boundary in bytes (RFC 2046, section 5.1.1).
    private static let maxBoundaryByteCount = 70

    /// The fields in order.
    private(set) var fields: [Field] = []

    /// Takes a body apart.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: The value of its `Content-Type`.
    /// - Throws: The reason to refuse it.
    init(_ body: [UInt8], contentType: String) throws(Failure) {
        guard let boundary = Self.parameter("boundary", of: contentType),
            (1...Self.maxBoundaryByteCount).contains(boundary.utf8.count)
        else { throw Failure("its Content-Type has no boundary of 1 to \(Self.maxBoundaryByteCount) bytes") }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may stand at the very beginning, without the end of a line in front of it.
        var end = 0
        if !body.starts(with: delimiter.dropFirst(2)) {
            guard let first = body.firstRange(of: delimiter, in: body.indices) else {
                throw Failure("its boundary is nowhere in the body")
            }
            end = first.lowerBound + 2
        }
        end += delimiter.count - 2
        while true {
            if body[end...].starts(with: "--".utf8) { return }
            let start = try Self.lineEnd(in: body, behind: end)
            guard self.fields.count < Self.maxFields else { throw Failure("it has more than \(Self.maxFields) fields") }
            var field = try Self.field(in: body, from: start)
            // A field without content may have its delimiter right behind its headers.
            guard let next = body.firstRange(of: delimiter, in: (field.range.lowerBound - 2)..<body.count) else {
                throw Failure("it ends before its last boundary")
            }
            field.range = field.range.lowerBound..<max(field.range.lowerBound, next.lowerBound)
            self.fields.append(field)
            end = next.upperBound
        }
    }

    /// Where the line of a delimiter ends, behind which only spaces may stand.
    private static func lineEnd(in body: [UInt8], behind end: Int) throws(Failure) -> Int {
        let rest = body[end...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard rest.starts(with: "\r\n".utf8) else { throw Failure("it ends before its last boundary") }
        return rest.startIndex + 2
    }

    /// The headers of a field; its range begins behind them and has no end yet.
    private static func field(in body: [UInt8], from start: Int) throws(Failure) -> Field {
        let limit = min(body.count, start + Self.maxHeaderByteCount)
        guard let end = body.firstRange(of: Array("\r\n\r\n".utf8), in: start..<limit) else {
            throw Failure("a field has no end of its headers within \(Self.maxHeaderByteCount) bytes")
        }
        var field = Field(range: end.upperBound..<end.upperBound)
        let headers = String(decoding: body[start..<end.lowerBound], as: UTF8.self)
        for line in headers.split(separator: "\r\n") {
            let name = line.prefix { $0 != ":" }
            switch name.lowercased() {
            case "content-disposition":
                field.name = Self.parameter("name", of: line) ?? ""
                field.fileName = Self.parameter("filename", of: line)
            case "content-type":
                field.contentType = line.dropFirst(name.count + 1).drop { $0 == " " || $0 == "\t" }.lowercased()
            default: break
            }
        }
        return field
    }

    /// A parameter of a header, such as `name` of `form-data; name="file"`; `nil` without it.
    ///
    /// Scalars are compared, not characters: with a combining mark behind it, a quotation mark is another character.
    static func parameter(_ name: String, of header: some StringProtocol) -> String? {
        var rest = Substring(header).unicodeScalars.drop { $0 != ";" }
        while !rest.isEmpty {
            rest = rest.drop { $0 == ";" || $0 == " " || $0 == "\t" }
            let key = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(key.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value = rest.first == "\"" ? Self.quoted(&rest) : Self.token(&rest)
            if Substring(key).lowercased() == name { return value }
        }
        return nil
    }

    /// Takes a string in quotes, in which browsers write `%22` for a quote, and other clients a backslash before it.
    private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String {
        var value = String.UnicodeScalarView()
        rest = rest.dropFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            let isEscape = scalar == "\\" && rest.first == "\""
            value.append(isEscape ? rest.removeFirst() : scalar)
        }
        return String(value.replacing("%22".unicodeScalars, with: "\"".unicodeScalars))
    }

    private static func token(_ rest: inout Substring.UnicodeScalarView) -> String {
        let value = rest.prefix { $0 != ";" && $0 != " " }
        rest = rest.dropFirst(value.count)
        return String(value)
    }
}

extension [UInt8] {
    /// The first place of `needle`, which is not empty, within a range of the bytes.
    fileprivate func firstRange(of needle: [UInt8], in range: Range<Int>) -> Range<Int>? {
        self.withUnsafeBytes { bytes in
            var offset = range.lowerBound
            while offset + needle.count <= range.upperBound, let base = bytes.baseAddress {
                let rest = range.upperBound - needle.count + 1 - offset
                guard let place = memchr(base + offset, Int32(needle[0]), rest) else { return nil }
                let start = UnsafeRawPointer(place) - base
                if memcmp(place, needle, needle.count) == 0 { return start..<start + needle.count }
                offset = start + 1
            }
            return nil
        }
    }
}
