package import TextModel

/// Event of a source: a text appeared, changed or was lost, or the source itself came or went.
///
/// This module makes events and subtitles from the results of a stream, and delivers them: as lines of JSON, to a web
/// address, to an MQTT broker. It knows neither pictures nor engines.
package struct TextEvent: Sendable, Equatable {
    /// What happened.
    package enum Kind: Sendable, Equatable {
        /// The text was not there before.
        case appeared(ObservedText)
        /// The text in this place reads differently now.
        case changed(ObservedText, previous: String)
        /// The text is no longer there.
        case lost(ObservedText)
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
}

/// Text in its place, which is observed from frame to frame.
package struct ObservedText: Sendable, Equatable {
    /// Number that no other text of the source has.
    package var id: UInt64
    /// The text.
    package var text: String
    /// Confidence of the text, 0...1; `nil` for a match, which is a part of a line.
    package var confidence: Float?
    /// Bounding box, in pixels of the picture as sent.
    package var box: Quad
    /// Index of the pattern that it matches; `nil` for a line.
    package var pattern: Int?

    /// Creates a text.
    package init(id: UInt64, text: String, confidence: Float?, box: Quad, pattern: Int? = nil) {
        self.id = id
        self.text = text
        self.confidence = confidence
        self.box = box
        self.pattern = pattern
    }
}
