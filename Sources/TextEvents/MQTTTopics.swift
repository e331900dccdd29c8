/// Topics of one source at an MQTT broker.
struct MQTTTopics: Sendable {
    /// Start of the topics of the source, without a slash at the end.
    private let source: String
    /// Unique name of the source in identifiers.
    let identifier: String
    private let discoveryPrefix: String

    /// Creates the topics of a source.
    ///
    /// - Parameters:
    ///   - slug: The slug of its name.
    ///   - configuration: The broker.
    init(slug: String, configuration: MQTTConfiguration) {
        self.source = "\(configuration.prefix)/\(slug)"
        self.identifier = "\(UniqueSlugs.slug(configuration.prefix))_\(slug)"
        self.discoveryPrefix = configuration.discoveryPrefix
    }

    /// Topic of whether the source sends pictures.
    var status: String { "\(self.source)/status" }

    /// Topic of the source's events.
    var event: String { "\(self.source)/event" }

    /// Topic of the texts of a sensor, by the end that is its own.
    func state(of sensor: String) -> String { "\(self.source)/\(sensor)" }

    /// Topic of the description of that sensor.
    func discovery(of sensor: String) -> String {
        "\(self.discoveryPrefix)/sensor/\(self.identifier)/\(MQTTSensor.identifier(of: sensor))/config"
    }
}
