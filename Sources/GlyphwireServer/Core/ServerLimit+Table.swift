internal import GlyphwireProtocol
internal import TextModel

/// Table of limits, in the order of the help.
extension ServerLimit {
    /// Limits of frames and results, which `serve` and `read` share.
    package static let frames = [maxPixels, maxSide, maxJPEGScans, maxWords]

    /// All limits.
    package static let all =
        frames + [
            maxMessageBytes, maxLZ4Ratio, maxConfigureBytes, maxUnauthenticatedBytes, maxConnections,
            maxConnectionsPerAddress, maxFramesInFlight, maxUnansweredMessages, maxUnreadBytes, maxMemory,
            maxWrongTokens,
            wrongTokenDelay, firstMessageTime, messageTime, idleTime, grace, slowReaderTime, peerTime,
        ]

    package static let maxPixels = ServerLimit(
        "max-pixels",
        "Pixels of a frame; four times that for a JPEG.",
        allowed: 1...1 << 30,
        sets: \.limits.wire.picture.maxPixels
    )
    package static let maxSide = ServerLimit(
        "max-side",
        "Pixels of a frame's longer side.",
        allowed: 1...65535,
        sets: \.limits.wire.picture.maxSide
    )
    package static let maxJPEGScans = ServerLimit(
        "max-jpeg-scans",
        "Scans of a JPEG.",
        allowed: 1...500,
        sets: \.limits.wire.picture.maxJPEGScans
    )
    package static let maxWords = ServerLimit(
        "max-words",
        "Words of a result; the rest is omitted.",
        allowed: 1...1_000_000,
        sets: \.limits.wire.maxWords
    )
    package static let maxMessageBytes = ServerLimit(
        "max-message-bytes",
        "Bytes of a message, frames included.",
        unit: .bytes,
        allowed: MessageHeader.byteCount...Int(UInt32.max),
        sets: \.limits.wire.maxMessageBytes
    )
    package static let maxLZ4Ratio = ServerLimit(
        "max-lz4-ratio",
        "Compression ratio of LZ4 data.",
        unit: .ratio,
        allowed: 1...255,
        sets: \.limits.wire.picture.maxLZ4Ratio
    )
    package static let maxConfigureBytes = ServerLimit(
        "max-configure-bytes",
        "Bytes of a configure body.",
        unit: .bytes,
        allowed: 2...1 << 24,
        sets: \.limits.wire.maxConfigureBytes
    )
    package static let maxUnauthenticatedBytes = ServerLimit(
        "max-unauthenticated-bytes",
        "Bytes of a message before authentication.",
        unit: .bytes,
        allowed: MessageHeader.byteCount...1 << 24,
        sets: \.limits.maxUnauthenticatedBytes
    )
    package static let maxConnections = ServerLimit(
        "max-connections",
        "Simultaneous connections.",
        allowed: 1...1_000_000,
        sets: \.limits.maxConnections
    )
    package static let maxConnectionsPerAddress = ServerLimit(
        "max-connections-per-address",
        "Simultaneous connections from one address.",
        allowed: 1...1_000_000,
        sets: \.limits.maxConnectionsPerAddress
    )
    package static let maxFramesInFlight = ServerLimit(
        "max-frames-in-flight",
        "Unanswered frames of a stream with delivery every.",
        allowed: 1...1024,
        machineDefault: "cores + 2, at most 16",
        sets: \.limits.window
    )
    package static let maxUnansweredMessages = ServerLimit(
        "max-unanswered-messages",
        "Unanswered messages of a connection.",
        allowed: 1...65536,
        sets: \.limits.maxUnansweredMessages
    )
    package static let maxUnreadBytes = ServerLimit(
        "max-unread-bytes",
        "Bytes of lines not yet read by a client.",
        unit: .bytes,
        allowed: 4096...1 << 30,
        sets: \.limits.maxUnsentBytes
    )
    package static let maxMemory = ServerLimit(
        "max-memory",
        "Bytes of queued frames of all connections.",
        unit: .bytes,
        allowed: 1 << 20...1 << 44,
        machineDefault: "512M, at most an eighth of the memory",
        sets: \.limits.maxMemoryBytes
    )
    package static let maxWrongTokens = ServerLimit(
        "max-wrong-tokens",
        "Wrong tokens from one address within a minute.",
        allowed: 1...1_000_000,
        sets: \.limits.maxWrongTokens
    )
    package static let wrongTokenDelay = ServerLimit(
        "wrong-token-delay",
        "Delay before a wrong token is answered.",
        sets: \.limits.wrongTokenDelay
    )
    package static let firstMessageTime = ServerLimit(
        "first-message-time",
        "Time until the first message, and the token.",
        sets: \.limits.firstMessageTime
    )
    package static let messageTime = ServerLimit(
        "message-time",
        "Time for a whole message to arrive.",
        sets: \.limits.messageTime
    )
    package static let idleTime = ServerLimit(
        "idle-time",
        "Time without a message, pings included.",
        sets: \.limits.idleTime
    )
    package static let grace = ServerLimit(
        "grace",
        "Time for clients to receive their last lines at shutdown.",
        sets: \.grace
    )
    package static let slowReaderTime = ServerLimit(
        "slow-reader-time",
        "Time without a byte of queued lines being read.",
        sets: \.limits.slowReaderTime
    )
    package static let peerTime = ServerLimit(
        "peer-time",
        "Time without a TCP acknowledgement (keep-alive).",
        sets: \.limits.peerTime
    )
}
