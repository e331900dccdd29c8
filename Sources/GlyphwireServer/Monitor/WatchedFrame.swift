internal import GlyphwireProtocol
public import TextModel
public import NIOCore

/// Frame that a worker has answered, with its picture.
public struct WatchedFrame: Sendable {
    /// The number of the connection, as in ``StreamStatus/id``.
    public var stream: UInt64
    /// Whether the frame was read; else the line has the error.
    public var isRead: Bool
    /// The format and size of the picture.
    public var frame: FrameDescription
    /// The picture as the client sent it.
    public var payload: ByteBuffer
    /// The result line for the client, with its line feed.
    public var line: ByteBuffer
}

/// Watcher of frames; without any, frames are not kept.
public protocol FrameWatcher: AnyObject, Sendable {
    /// A frame was read, or could not be. Called on an event loop, so it must return at once.
    func frameAnswered(_ frame: WatchedFrame)
}
