/// Headers of a part of a multipart stream (RFC 2046), as far as they say where its picture ends.
struct PartHeaders {
    /// Number of bytes before a picture that are examined: as many as the decoder accepts before one.
    static let maxByteCount = 1024

    /// Line in front of the part; `nil` without one.
    private(set) var delimiter: [UInt8]?
    /// Number of bytes of the part that are still to come; `nil` if the headers do not say.
    private(set) var remainingByteCount: Int?

    /// Finds the headers in the bytes before a picture.
    ///
    /// - Parameter bytes: What has come since the picture before: a delimiter, headers and an empty line.
    init(_ bytes: [UInt8]) {
        var (length, end): (Int?, Int) = (nil, 0)
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            end += line.count + 1
            let text = String(decoding: line.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            if text.hasPrefix("--"), text.utf8.count > 2 {
                (self.delimiter, self.remainingByteCount, length) = (Array(text.utf8), nil, nil)
            } else if let announced = Self.contentLength(text) {
                length = announced
            } else if text.isEmpty, let announced = length {
                // A part without the empty line begins where the bytes end.
                let missing = announced - max(bytes.count - end, 0)
                self.remainingByteCount = missing > 0 ? missing : nil
                length = nil
            }
        }
    }

    /// The value of a `Content-Length` header; `nil` for other lines.
    private static func contentLength(_ line: String) -> Int? {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
        return UInt32(parts[1].filter { $0 != " " }).map { Int($0) }
    }
}
