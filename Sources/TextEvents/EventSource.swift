internal import GlyphwireProtocol
package import TextModel

/// Source of events: its name, what its text is searched for, and where its boxes are.
package struct EventSource: Sendable, Hashable {
    /// Named region of the source's pictures.
    package struct Region: Sendable, Hashable {
        /// Name.
        package var name: String
        /// Patterns of the region's text, as written; empty for its lines.
        package var patterns: [String]

        /// Creates a region.
        package init(name: String, patterns: [String] = []) {
            (self.name, self.patterns) = (name, patterns)
        }
    }

    /// Name, unique.
    package var name: String
    /// Patterns of the stream, as written; those of regions are their own.
    package var patterns: [String]
    /// Named regions; empty where the whole picture is read.
    package var regions: [Region]
    /// Coordinate space of the boxes of its texts.
    package var coordinates: CoordinateSpace

    /// Creates a source.
    package init(
        name: String,
        patterns: [String] = [],
        regions: [Region] = [],
        coordinates: CoordinateSpace = .sent
    ) {
        (self.name, self.patterns, self.regions, self.coordinates) = (name, patterns, regions, coordinates)
    }

    /// The pattern that a text matches, as written; `nil` for a line.
    func pattern(of text: ObservedText) -> String? {
        let region = text.region.map { name in self.regions.first { $0.name == name }?.patterns ?? [] }
        let patterns = region ?? self.patterns
        return text.pattern.flatMap { patterns.indices.contains($0) ? patterns[$0] : nil }
    }
}
