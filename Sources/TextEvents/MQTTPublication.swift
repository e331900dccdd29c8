internal import NIOCore

/// Message for an MQTT broker, with its topic.
struct MQTTPublication: Sendable, Equatable {
    /// Topic.
    var topic: String
    /// Content.
    var payload: ByteBuffer
    /// Whether the broker keeps it for those who subscribe later.
    var isRetained = true
}

extension MQTTPublication {
    /// What removes the message that a broker has kept of a topic.
    init(removalOf topic: String) { self.init(topic: topic, payload: ByteBuffer()) }
}
