internal import GlyphwireProtocol
public import TextModel
public import NIOCore

/// A frame that a worker has answered, with its picture.
public struct WatchedFrame: Sendable {
    /// The number of its connection, as in ``StreamStatus/id``.
    public var stream: UInt64
    /// Whether it was read; else the line says why not.
    public var isRead: Bool
    /// How the payload holds the picture.
    public var frame: FrameDescription
    /// The picture as the client sent it.
    public var payload: ByteBuffer
    /// The line of JSON that the client gets for it, with its line feed.
    public var line: ByteBuffer
}

/// Somebody who looks at frames; nothing is kept of them where nobody does.
public protocol FrameWatcher: AnyObject, Sendable {
    /// A frame was read, or could not be. Called on an event loop, so it must return at once.
    func frameAnswered(_ frame: WatchedFrame)
}
