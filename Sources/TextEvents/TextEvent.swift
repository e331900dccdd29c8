package import GlyphwireProtocol

/// Event of a source: a text appeared, changed or was lost, or the source itself came or went.
///
/// This module makes events and subtitles from the results of a stream, and delivers them: as lines of JSON, to a web
/// address, to an MQTT broker. It knows neither pictures nor engines.
package struct TextEvent: Sendable, Equatable {
    /// What happened.
    package enum Kind: Sendable, Equatable {
        /// A text appeared, changed or was lost.
        case text(TextChange)
        /// The source sends pictures, after the start or after a time without.
        case online
        /// The source sends no pictures, for a reason.
        case offline(String)
    }

    /// What happened.
    package var kind: Kind
    /// Name of the source.
    package var source: String
    /// When it was seen.
    package var time: EventTime

    /// Creates an event.
    package init(_ kind: Kind, source: String, time: EventTime) {
        self.kind = kind
        self.source = source
        self.time = time
    }
}

/// Time of an event.
package enum EventTime: Sendable, Equatable {
    /// Microseconds since 1970, of live sources.
    case wall(microseconds: UInt64)
    /// Microseconds from the start of a video file.
    case position(microseconds: UInt64)

    /// Whether the source is live.
    package var isLive: Bool {
        if case .wall = self { true } else { false }
    }
}
