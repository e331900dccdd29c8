internal import GlyphwireProtocol
internal import TextModel

/// Status of a frame, in the terms of the protocol.
package struct FrameStatus: Sendable, Hashable, Codable, Comparable {
    /// Status in the result; `lost`, `unanswered` or `unsent` without a result.
    package var status: String
    /// Code or reason in the result; empty without one.
    package var reason: String

    /// Creates a status with an optional reason.
    package init(_ status: String, reason: String = "") {
        self.status = status
        self.reason = reason
    }

    /// The frame was read.
    package static let ok = FrameStatus("ok")
    /// The connection broke before the server answered, or before the frame was sent.
    package static let lost = FrameStatus("lost")
    /// The run ended before the server answered.
    package static let unanswered = FrameStatus("unanswered")
    /// The frame was due, but the socket had no room for it before the end of the run.
    package static let unsent = FrameStatus("unsent")

    /// Whether the server answered.
    package var isAnswer: Bool { ![Self.lost, .unanswered, .unsent].contains(self) }

    /// Status followed by the reason in brackets.
    package var text: String { self.reason.isEmpty ? self.status : "\(self.status) (\(self.reason))" }

    package static func < (a: FrameStatus, b: FrameStatus) -> Bool {
        (a.status, a.reason) < (b.status, b.reason)
    }
}

extension FrameStatus {
    /// Creates the status of a result.
    init(_ outcome: FrameResult.Outcome) {
        switch outcome {
        case .ok: self = .ok
        case .error(let error) where error.code.rawValue == "connection_lost": self = .lost
        case .error(let error): self.init("error", reason: error.code.rawValue.withoutControlCharacters)
        case .dropped: self.init("dropped", reason: "superseded")
        case .expired: self.init("expired")
        case .other(let status): self.init(status.withoutControlCharacters)
        }
    }
}
