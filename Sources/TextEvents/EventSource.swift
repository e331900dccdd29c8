package import GlyphwireProtocol
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
        guard let pattern = text.pattern, let patterns = self.patterns(in: text.region),
            patterns.indices.contains(pattern)
        else { return nil }
        return patterns[pattern]
    }

    /// A text of a source with other patterns or regions, as this one has it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - earlier: The other source.
    /// - Returns: The text with the number of its pattern here; `nil` if this source does not look for such texts.
    package func adopted(_ text: ObservedText, of earlier: EventSource) -> ObservedText? {
        guard let patterns = self.patterns(in: text.region) else { return nil }
        guard let pattern = earlier.pattern(of: text) else { return patterns.isEmpty ? text : nil }
        guard let index = patterns.firstIndex(of: pattern) else { return nil }
        var text = text
        text.pattern = index
        return text
    }

    /// The patterns of the texts in a region, or with `nil` of those of a source without regions; `nil` if it has no such texts.
    private func patterns(in region: String?) -> [String]? {
        guard let region else { return self.regions.isEmpty ? self.patterns : nil }
        return self.regions.first { $0.name == region }?.patterns
    }
}
