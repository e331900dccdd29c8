/// Texts of a source that are one sensor: all lines, or the matches of a pattern, of the whole picture or of a region.
struct MQTTSensor: Sendable {
    /// Name, for people.
    let name: String
    /// End of its topic, behind that of the source.
    let topic: String
    /// Region of its texts; `nil` for the whole picture.
    let region: String?
    /// Pattern of its texts; `nil` for lines.
    let pattern: Int?

    /// Name in identifiers, unique in the source.
    var identifier: String { Self.identifier(of: self.topic) }

    /// Name of the sensor with a topic in identifiers.
    static func identifier(of topic: String) -> String { topic.replacing("/", with: "_") }

    /// The sensors of a source, in order.
    static func all(of source: EventSource) -> [MQTTSensor] {
        guard !source.regions.isEmpty else {
            return self.all(for: source.patterns, region: nil, slug: nil)
        }
        var slugs = UniqueSlugs()
        return source.regions.flatMap { region in
            self.all(for: region.patterns, region: region.name, slug: slugs.slug(of: region.name))
        }
    }

    private static func all(for patterns: [String], region: String?, slug: String?) -> [MQTTSensor] {
        let topic = slug.map { "region/\($0)/" } ?? ""
        guard !patterns.isEmpty else {
            return [
                MQTTSensor(
                    name: region ?? "Text",
                    topic: topic + "text",
                    region: region,
                    pattern: nil
                )
            ]
        }
        return patterns.indices.map { index in
            MQTTSensor(
                name: region.map { patterns.count > 1 ? "\($0) \(patterns[index])" : $0 } ?? patterns[index],
                topic: topic + "find/\(index)",
                region: region,
                pattern: index
            )
        }
    }
}
