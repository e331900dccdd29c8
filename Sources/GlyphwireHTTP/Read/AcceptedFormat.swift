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
    /// - Parameter header: The value of the header; `nil` without one. Of types with the same weight the first one counts
    ///   that the header names, and then the first that is offered.
    init?(header: String?) {
        let named = (header ?? "").split(separator: ",").compactMap { MediaRange($0) }
        // Without any range there is no preference.
        let ranges: [MediaRange] = named.isEmpty ? [.all] : named
        var best: (offer: (key: String, value: TextFormat), weight: Double, place: Int)?
        for offer in Self.offers {
            guard let (place, weight) = MediaRange.weight(of: offer.key, in: ranges), weight > 0 else { continue }
            if let best, (best.weight, -best.place) >= (weight, -place) { continue }
            best = (offer, weight, place)
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
    /// All media types.
    static let all = MediaRange(type: "*/*", weight: 1)

    private let type: String
    private let weight: Double

    private init(type: String, weight: Double) {
        self.type = type
        self.weight = weight
    }

    init?(_ text: Substring) {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard let type = parts.first, !type.isEmpty else { return nil }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
        self.init(type: type, weight: weight.flatMap { Double($0.dropFirst(2)) } ?? 1)
    }

    /// The weight of a media type, and the place of the most specific range that has it; `nil` if none has it.
    static func weight(of mediaType: String, in ranges: [MediaRange]) -> (place: Int, weight: Double)? {
        ranges.enumerated().filter { $0.element.contains(mediaType) }
            .max { $0.element.specificity < $1.element.specificity }
            .map { (place: $0.offset, weight: $0.element.weight) }
    }

    private var specificity: Int { self.type == "*/*" ? 0 : self.type.hasSuffix("/*") ? 1 : 2 }

    private func contains(_ mediaType: String) -> Bool {
        if self.type == "*/*" || self.type == mediaType { return true }
        return self.type.hasSuffix("/*") && mediaType.hasPrefix(self.type.dropLast())
    }
}
