internal import GlyphwireProtocol
internal import TextModel

/// Status of a frame in statistics.
enum FrameStatus: Sendable {
    /// The frame was read.
    case ok
    /// The frame was answered with an error.
    case error
    /// A newer frame superseded it.
    case dropped
    /// The frame's deadline had passed.
    case expired

    /// Status of a result.
    init(_ outcome: FrameResult.Outcome) {
        switch outcome {
        case .ok: self = .ok
        case .dropped: self = .dropped
        case .expired: self = .expired
        case .error, .other: self = .error
        }
    }
}

extension FramesByStatus {
    /// Counts a frame.
    mutating func add(_ status: FrameStatus) {
        switch status {
        case .ok: self.ok += 1
        case .error: self.error += 1
        case .dropped: self.dropped += 1
        case .expired: self.expired += 1
        }
    }
}
