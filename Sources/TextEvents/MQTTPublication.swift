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
