internal import GlyphwireProtocol
internal import TextModel

/// What became of a frame, as statistics count it.
enum FrameFate: Sendable {
    /// It was read.
    case ok
    /// It could not be honoured.
    case error
    /// A newer one took its place.
    case dropped
    /// It was older than its deadline.
    case expired

    /// What a result's outcome is counted as.
    init(_ outcome: FrameResult.Outcome) {
        switch outcome {
        case .ok: self = .ok
        case .dropped: self = .dropped
        case .expired: self = .expired
        case .error, .other: self = .error
        }
    }
}
