/// Source of frames: a camera, an address or a video file.
///
/// This module gets pictures from where they are and puts them into a ``FrameMailbox``: one type for each kind of source,
/// and what those share. It knows nothing of text; who takes the frames has them read.
package protocol FrameSource: Sendable {
    /// Whether pictures show what happens now, so that only the newest one matters.
    var isLive: Bool { get }

    /// Maximum time without a frame; a live source that is silent for longer is restarted.
    var silence: Duration { get }

    /// Puts frames into the mailbox until the source ends or the task is cancelled.
    ///
    /// - Parameter mailbox: Takes the frames.
    /// - Throws: ``SourceError``, or `CancellationError`.
    func run(into mailbox: FrameMailbox) async throws
}

extension FrameSource {
    /// Time without a frame, beyond the time between two frames, after which a live source counts as broken.
    static var tolerance: Duration { .seconds(15) }
}
