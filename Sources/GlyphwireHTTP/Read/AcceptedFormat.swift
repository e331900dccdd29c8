internal import TextFormats

/// Format of a response to a request to read pictures, by its `Accept` header (RFC 9110, section 12.5.1).
struct AcceptedFormat: Hashable {
    /// The media types and their formats, of which the first that a range such as `text/*` covers is taken.
    private static let offers: KeyValuePairs<String, TextFormat> = [
        "application/json": .json, "application/x-ndjson": .json, "text/plain": .text,
        "text/tab-separated-values": .tsv, "application/xhtml+xml": .hocr, "text/html": .hocr,
        "text/vnd.hocr+html": .hocr, "application/alto+xml": .alto, "application/xml": .alto, "text/xml": .alto,
        "application/pdf": .pdf,
    ]

    /// The media types, as errors list them.
    static let offered = Self.offers.map(\.key).joined(separator: ", ")

    /// The format.
    let format: TextFormat
    /// The media type that was asked for.
    private let mediaType: String

    /// Chooses a format; `nil` if nothing that is asked for is offered.
    ///
    /// - Parameter header: The value of the header; `nil` without one. Of ranges with the same weight the first counts.
    init?(header: String?) {
        let ranges = (header ?? "*/*").split(separator: ",").compactMap(MediaRange.init)
        var best: (offer: (key: String, value: TextFormat), weight: Double)?
        for range in ranges where range.weight > (best?.weight ?? 0) {
            guard let offer = Self.offers.first(where: { range.contains($0.key) }) else { continue }
            best = (offer, range.weight)
        }
        guard let best else { return nil }
        (self.mediaType, self.format) = best.offer
    }

    /// The content type of a response about some pictures: several result lines are no JSON text together.
    func contentType(pictureCount: Int) -> String {
        switch self.format {
        case .json: pictureCount == 1 ? self.mediaType : "application/x-ndjson"
        case .pdf: self.mediaType
        default: self.mediaType + "; charset=utf-8"
        }
    }
}

/// Range of media types, such as `text/*;q=0.5`.
private struct MediaRange {
    let weight: Double
    private let type: String

    init?(_ text: Substring) {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard let type = parts.first else { return nil }
        self.type = type
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
        self.weight = weight.flatMap { Double($0.dropFirst(2)) } ?? 1
    }

    func contains(_ mediaType: String) -> Bool {
        if self.type == "*/*" || self.type == mediaType { return true }
        return self.type.hasSuffix("/*") && mediaType.hasPrefix(self.type.dropLast())
    }
}
