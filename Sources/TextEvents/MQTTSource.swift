internal import GlyphwireProtocol
internal import NIOCore

/// Topics and retained state of one source at an MQTT broker.
struct MQTTSource: Sendable {
    /// Name of the source, for people.
    let name: String
    private let patterns: [String]
    /// Topic of the source, without a slash at the end.
    private let topic: String
    /// Topic of the whole program's status.
    private let programStatus: String
    /// Unique name of the source in identifiers.
    private let identifier: String
    private let discoveryPrefix: String
    /// Whether the source sends pictures; unknown at first.
    var isOnline = false
    /// Texts of the source.
    var texts: [ObservedText] = []

    /// A source without texts.
    init(name: String, patterns: [String], configuration: MQTTConfiguration) {
        self.name = name
        self.patterns = patterns
        let slug = Self.slug(name)
        self.topic = "\(configuration.prefix)/\(slug)"
        self.programStatus = "\(configuration.prefix)/status"
        self.identifier = "\(Self.slug(configuration.prefix))_\(slug)"
        self.discoveryPrefix = configuration.discoveryPrefix
    }

    /// Name as a level of a topic, and as an identifier of Home Assistant: letters, digits and underscores.
    static func slug(_ name: String) -> String {
        String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    /// Whether the source sends pictures.
    var status: MQTTPublication {
        MQTTPublication(
            topic: "\(self.topic)/status",
            payload: ByteBuffer(string: self.isOnline ? "online" : "offline")
        )
    }

    /// An event, which is not retained.
    func event(_ event: TextEvent) -> MQTTPublication {
        MQTTPublication(topic: "\(self.topic)/event", payload: event.json(patterns: self.patterns), isRetained: false)
    }

    /// The texts, for each pattern where the stream searches.
    var state: [MQTTPublication] {
        guard !self.patterns.isEmpty else {
            return [MQTTPublication(topic: self.textTopic(nil), payload: self.text(nil))]
        }
        return self.patterns.indices.map { MQTTPublication(topic: self.textTopic($0), payload: self.text($0)) }
    }

    /// Descriptions of the sensors for Home Assistant.
    var discovery: [MQTTPublication] {
        guard !self.patterns.isEmpty else { return [self.sensor(nil)] }
        return self.patterns.indices.map(self.sensor)
    }

    private func textTopic(_ pattern: Int?) -> String {
        pattern.map { "\(self.topic)/find/\($0)" } ?? "\(self.topic)/text"
    }

    private func text(_ pattern: Int?) -> ByteBuffer {
        let texts = self.texts.filter { $0.pattern == pattern }.map(\.text)
        var buffer = ByteBuffer()
        buffer.writeJSON { json in
            json.object { json in
                if texts.isEmpty {
                    json.null("text")
                } else {
                    // Of a search the first match is the value, and of lines all together are.
                    json.string("text", pattern == nil ? texts.joined(separator: "\n") : texts[0])
                }
                json.array("texts") { json in
                    for text in texts { json.string(text) }
                }
            }
        }
        return buffer
    }

    /// Description of a sensor by Home Assistant's MQTT discovery.
    private func sensor(_ pattern: Int?) -> MQTTPublication {
        let object = pattern.map { "find_\($0)" } ?? "text"
        var buffer = ByteBuffer()
        buffer.writeJSON { json in
            json.object { json in
                json.string("name", pattern.map { self.patterns[$0] } ?? "Text")
                json.string("unique_id", "\(self.identifier)_\(object)")
                json.string("icon", "mdi:text-recognition")
                json.string("state_topic", self.textTopic(pattern))
                // A state has at most 255 characters; "None" is an unknown one.
                json.string("value_template", "{{ (value_json.text or 'None')[:255] }}")
                json.string("json_attributes_topic", self.textTopic(pattern))
                json.string("availability_mode", "all")
                json.array("availability") { json in
                    for topic in [self.programStatus, "\(self.topic)/status"] {
                        json.object { $0.string("topic", topic) }
                    }
                }
                json.object("device") { json in
                    json.array("identifiers") { $0.string(self.identifier) }
                    json.string("name", self.name)
                    json.string("manufacturer", "Glyphwire")
                    json.string("sw_version", SoftwareVersion.current)
                }
            }
        }
        let topic = "\(self.discoveryPrefix)/sensor/\(self.identifier)/\(object)/config"
        return MQTTPublication(topic: topic, payload: buffer)
    }
}
