internal import GlyphwireProtocol
public import TextModel
public import NIOCore

/// Answered frame with its picture.
public struct WatchedFrame: Sendable {
    /// Number of the connection, as in ``StreamStatus/id``.
    public var stream: UInt64
    /// Whether the frame was read; otherwise the line reports the error.
    public var isRead: Bool
    /// Format and size of the picture.
    public var frame: FrameDescription
    /// Picture as the client sent it.
    public var payload: ByteBuffer
    /// Result line for the client, with its line feed.
    public var line: ByteBuffer
}

/// Watcher of frames; without watchers, frames are not kept.
public protocol FrameWatcher: AnyObject, Sendable {
    /// Called after a frame was answered, on an event loop or the thread of a worker; it must return at once.
    func frameAnswered(_ frame: WatchedFrame)
}
