internal import ImageCodecs

/// How a body is packed, by the names of `Content-Encoding` in RFC 9110, section 8.4.
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate

    /// Those that are unpacked, as a header names them.
    static let offered = Self.allCases.map(\.rawValue).joined(separator: ", ")

    /// A body may be packed so many times over.
    private static let maxCodings = 2

    /// The coding of a name in any case; `nil` if it is not unpacked here.
    init?(name: some StringProtocol) {
        let name = name.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// What stands around the data.
    var wrapping: Inflater.Wrapping {
        switch self {
        case .gzip: .gzip
        case .deflate: .zlib
        }
    }

    /// Reads the value of a header.
    ///
    /// - Parameter header: Names with commas in between, in the order in which they were applied; `nil` if there is none.
    /// - Returns: The codings in that order, without those that change nothing.
    /// - Throws: ``BodyError/unknownCoding(_:)`` for the first that is not unpacked here.
    static func codings(of header: String?) throws(BodyError) -> [Self] {
        var codings: [Self] = []
        for name in (header ?? "").split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
            if name.lowercased() == "identity" { continue }
            guard let coding = Self(name: name), codings.count < Self.maxCodings else {
                throw .unknownCoding(String(name.prefix(32)))
            }
            codings.append(coding)
        }
        return codings
    }
}
