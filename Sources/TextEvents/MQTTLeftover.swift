internal import GlyphwireProtocol
internal import NIOCore

/// Texts that a broker keeps of a source, region or pattern that is no longer watched.
struct MQTTLeftover {
    /// What removes all that the broker keeps of them.
    ///
    /// The texts are last: should the connection break, they are found by them again.
    let removal: [MQTTPublication]

    /// Recognizes texts by their topic and by their form; `nil` for those of watched sources, and messages of other programs.
    ///
    /// - Parameters:
    ///   - message: A message that the broker has kept.
    ///   - configuration: The broker.
    ///   - sources: The sources that are watched.
    init?(_ message: MQTTPublication, configuration: MQTTConfiguration, sources: [MQTTSource]) {
        let prefix = configuration.prefix + "/"
        guard message.topic.hasPrefix(prefix),
            let match = message.topic.dropFirst(prefix.count)
                .wholeMatch(of: #/([a-z0-9_]+)/((?:region/[a-z0-9_]+/)?(?:text|find/[0-9]+))/#),
            Self.areTexts(message.payload)
        else { return nil }
        let topics = MQTTTopics(slug: String(match.1), configuration: configuration)
        let sensor = String(match.2)
        let watched = Set(sources.flatMap(\.topics))
        guard !watched.contains(message.topic) else { return nil }
        self.removal = [topics.status, topics.discovery(of: sensor), message.topic].filter { !watched.contains($0) }
            .map { MQTTPublication(removalOf: $0) }
    }

    /// Whether a message has the form of a sensor's texts, which those of other programs do not have.
    private static func areTexts(_ payload: ByteBuffer) -> Bool {
        var reader = JSONReader(payload)
        var names: [String] = []
        do throws(JSONError) {
            try reader.beginObject()
            while let name = try reader.nextName() {
                names.append(name)
                try reader.skipValue()
            }
            try reader.end()
        } catch {
            return false
        }
        return names == ["text", "texts"]
    }
}
