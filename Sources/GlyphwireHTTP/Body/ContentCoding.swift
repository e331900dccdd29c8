internal import GlyphwireProtocol
internal import ImageCodecs

/// Content coding of a body (RFC 9110, section 8.4).
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate

    /// Supported codings, as in a header.
    static let offered = Self.allCases.map(\.rawValue).joined(separator: ", ")

    /// Maximum number of codings of one body.
    private static let maxCodings = 2

    /// Creates the coding of a case-insensitive name; `nil` if it is not supported.
    init?(name: some StringProtocol) {
        let name = name.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// Container format of the compressed data.
    var wrapping: Inflater.Wrapping {
        switch self {
        case .gzip: .gzip
        case .deflate: .zlib
        }
    }

    /// Parses the value of a header.
    ///
    /// - Parameter header: Names separated by commas, in the order of application; `nil` without the header.
    /// - Returns: The codings in that order, without `identity`.
    /// - Throws: ``BodyError/unknownCoding(_:)`` for the first that is not supported.
    static func codings(of header: String?) throws(BodyError) -> [Self] {
        var codings: [Self] = []
        for name in (header ?? "").split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
            if name.lowercased() == "identity" { continue }
            guard let coding = Self(name: name), codings.count < Self.maxCodings else {
                throw .unknownCoding(String(name).shortened)
            }
            codings.append(coding)
        }
        return codings
    }
}
