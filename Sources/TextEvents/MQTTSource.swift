internal import GlyphwireProtocol
internal import NIOCore

/// Topics and retained state of one source at an MQTT broker.
struct MQTTSource: Sendable {
    /// The source.
    let source: EventSource
    private let sensors: [MQTTSensor]
    private let ownTopics: MQTTTopics
    /// Topic of the whole program's status.
    private let programStatus: String
    /// Whether the source sends pictures; unknown at first.
    var isOnline = false
    /// Texts of the source.
    var texts: [ObservedText] = []

    /// Creates a source without texts.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - configuration: The broker.
    ///   - slugs: The slugs of the sources at this broker.
    init(_ source: EventSource, configuration: MQTTConfiguration, slugs: inout UniqueSlugs) {
        self.source = source
        self.sensors = MQTTSensor.all(of: source)
        self.ownTopics = MQTTTopics(slug: slugs.slug(of: source.name), configuration: configuration)
        self.programStatus = configuration.statusTopic
    }

    /// Whether the source sends pictures.
    var status: MQTTPublication {
        MQTTPublication(
            topic: self.ownTopics.status,
            payload: ByteBuffer(string: self.isOnline ? "online" : "offline")
        )
    }

    /// An event, which is not retained.
    func event(_ event: TextEvent) -> MQTTPublication {
        MQTTPublication(topic: self.ownTopics.event, payload: event.json(of: self.source), isRetained: false)
    }

    /// The texts of each sensor.
    var state: [MQTTPublication] {
        self.sensors.map { MQTTPublication(topic: self.ownTopics.state(of: $0.topic), payload: self.text(of: $0)) }
    }

    /// Descriptions of the sensors for Home Assistant.
    var discovery: [MQTTPublication] {
        self.sensors.map {
            MQTTPublication(topic: self.ownTopics.discovery(of: $0.topic), payload: self.description(of: $0))
        }
    }

    /// All that the broker keeps of the source.
    var publications: [MQTTPublication] { self.discovery + self.state + [self.status] }

    /// Topics of ``publications``.
    var topics: [String] {
        let (sensors, topics) = (self.sensors.map(\.topic), self.ownTopics)
        return sensors.map(topics.discovery(of:)) + sensors.map(topics.state(of:)) + [topics.status]
    }

    private func text(of sensor: MQTTSensor) -> ByteBuffer {
        let texts = self.texts.filter { $0.pattern == sensor.pattern && $0.region == sensor.region }.map(\.text)
        var buffer = ByteBuffer()
        buffer.writeJSON { json in
            json.object { json in
                if texts.isEmpty {
                    json.null("text")
                } else {
                    // Of a search the first match is the value, and of lines all together are.
                    json.string("text", sensor.pattern == nil ? texts.joined(separator: "\n") : texts[0])
                }
                json.array("texts") { json in
                    for text in texts { json.string(text) }
                }
            }
        }
        return buffer
    }

    /// Description of a sensor by Home Assistant's MQTT discovery.
    private func description(of sensor: MQTTSensor) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeJSON { json in
            json.object { json in
                json.string("name", sensor.name)
                json.string("unique_id", "\(self.ownTopics.identifier)_\(sensor.identifier)")
                json.string("icon", "mdi:text-recognition")
                json.string("state_topic", self.ownTopics.state(of: sensor.topic))
                // A state has at most 255 characters; "None" is an unknown one.
                json.string("value_template", "{{ (value_json.text or 'None')[:255] }}")
                json.string("json_attributes_topic", self.ownTopics.state(of: sensor.topic))
                json.string("availability_mode", "all")
                json.array("availability") { json in
                    for topic in [self.programStatus, self.ownTopics.status] {
                        json.object { $0.string("topic", topic) }
                    }
                }
                json.object("device") { json in
                    json.array("identifiers") { $0.string(self.ownTopics.identifier) }
                    json.string("name", self.source.name)
                    json.string("manufacturer", "Glyphwire")
                    json.string("sw_version", SoftwareVersion.current)
                }
            }
        }
        return buffer
    }
}
