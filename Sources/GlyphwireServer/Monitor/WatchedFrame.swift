internal import GlyphwireProtocol
package import TextModel
package import NIOCore

/// Answered frame with its picture.
package struct WatchedFrame: Sendable {
    /// Number of the connection, as in ``StreamStatus/id``.
    package var stream: UInt64
    /// Whether the frame was read; otherwise the line reports the error.
    package var isRead: Bool
    /// Format and size of the picture.
    package var frame: FrameDescription
    /// Picture as the client sent it.
    package var payload: ByteBuffer
    /// Result line for the client, with its line feed.
    package var line: ByteBuffer
}

/// Watcher of frames; without watchers, frames are not kept.
package protocol FrameWatcher: AnyObject, Sendable {
    /// Called after a frame was answered, on an event loop or the thread of a worker; it must return at once.
    func frameAnswered(_ frame: WatchedFrame)
}
