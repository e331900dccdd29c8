internal import GlyphwireProtocol
internal import TextModel

/// What became of a frame, in the words of the protocol.
package struct FrameStatus: Sendable, Hashable, Codable, Comparable {
    /// The `status` of its result; `lost`, `unanswered` or `unsent` where there was none.
    package var status: String
    /// The `code` or the `reason` that the result gives; empty where it gives none.
    package var reason: String

    /// A status, with a reason if there is one.
    package init(_ status: String, reason: String = "") {
        self.status = status
        self.reason = reason
    }

    /// It was read.
    package static let ok = FrameStatus("ok")
    /// The connection broke before the server answered.
    package static let lost = FrameStatus("lost")
    /// The run was over before the server answered.
    package static let unanswered = FrameStatus("unanswered")
    /// It was due, and the socket had no room for it before the run was over.
    package static let unsent = FrameStatus("unsent")

    /// Whether the server answered.
    package var isAnswer: Bool { ![Self.lost, .unanswered, .unsent].contains(self) }

    /// The status and, in brackets, the reason.
    package var text: String { self.reason.isEmpty ? self.status : "\(self.status) (\(self.reason))" }

    package static func < (a: FrameStatus, b: FrameStatus) -> Bool {
        (a.status, a.reason) < (b.status, b.reason)
    }
}

extension FrameStatus {
    /// What a result says.
    init(_ outcome: FrameResult.Outcome) {
        switch outcome {
        case .ok: self = .ok
        case .error(let error) where error.code.rawValue == "connection_lost": self = .lost
        case .error(let error): self.init("error", reason: error.code.rawValue)
        case .dropped: self.init("dropped", reason: "superseded")
        case .expired: self.init("expired")
        case .other(let status): self.init(status)
        }
    }
}
