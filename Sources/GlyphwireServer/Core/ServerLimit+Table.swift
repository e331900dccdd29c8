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
            maxConnectionsPerAddress, maxHTTPConnections, maxFramesInFlight, maxUnansweredMessages, maxUnreadBytes,
            maxMemory,
            maxWrongTokens,
            wrongTokenDelay, firstMessageTime, messageTime, idleTime, grace, slowReaderTime, peerTime,
        ]

    package static let maxPixels = ServerLimit(
        "max-pixels",
        "Maximum number of pixels of a frame; four times as many for a JPEG of one scan.",
        allowed: 1...1 << 30,
        sets: \.limits.wire.picture.maxPixels
    )
    package static let maxSide = ServerLimit(
        "max-side",
        "Maximum number of pixels of a frame's longer side.",
        allowed: 1...65535,
        sets: \.limits.wire.picture.maxSide
    )
    package static let maxJPEGScans = ServerLimit(
        "max-jpeg-scans",
        "Maximum number of scans of a progressive JPEG.",
        allowed: 1...500,
        sets: \.limits.wire.picture.maxJPEGScans
    )
    package static let maxWords = ServerLimit(
        "max-words",
        "Maximum number of words of a result; further lines are omitted.",
        allowed: 1...1_000_000,
        sets: \.limits.wire.maxWords
    )
    package static let maxMessageBytes = ServerLimit(
        "max-message-bytes",
        "Maximum number of bytes of a message, frames included.",
        unit: .bytes,
        allowed: MessageHeader.byteCount...Int(UInt32.max),
        sets: \.limits.wire.maxMessageBytes
    )
    package static let maxLZ4Ratio = ServerLimit(
        "max-lz4-ratio",
        "Maximum compression ratio of LZ4 data.",
        unit: .ratio,
        allowed: 1...255,
        sets: \.limits.wire.picture.maxLZ4Ratio
    )
    package static let maxConfigureBytes = ServerLimit(
        "max-configure-bytes",
        "Maximum number of bytes of a configure body.",
        unit: .bytes,
        allowed: 2...1 << 24,
        sets: \.limits.wire.maxConfigureBytes
    )
    package static let maxUnauthenticatedBytes = ServerLimit(
        "max-unauthenticated-bytes",
        "Maximum number of bytes of a message before a valid token.",
        unit: .bytes,
        allowed: MessageHeader.byteCount...1 << 24,
        sets: \.limits.maxUnauthenticatedBytes
    )
    package static let maxConnections = ServerLimit(
        "max-connections",
        "Maximum number of open connections.",
        allowed: 1...1_000_000,
        sets: \.limits.maxConnections
    )
    package static let maxConnectionsPerAddress = ServerLimit(
        "max-connections-per-address",
        "Maximum number of open connections from one address.",
        allowed: 1...1_000_000,
        sets: \.limits.maxConnectionsPerAddress
    )
    package static let maxHTTPConnections = ServerLimit(
        "max-http-connections",
        "Maximum number of open connections to the HTTP service.",
        allowed: 1...1_000_000,
        sets: \.limits.maxHTTPConnections
    )
    package static let maxFramesInFlight = ServerLimit(
        "max-frames-in-flight",
        "Maximum number of unanswered frames of a connection with delivery every.",
        allowed: 1...1024,
        machineDefault: "cores + 2, at most 16",
        sets: \.limits.maxFramesInFlight
    )
    package static let maxUnansweredMessages = ServerLimit(
        "max-unanswered-messages",
        "Maximum number of unanswered messages of a connection.",
        allowed: 1...65536,
        sets: \.limits.maxUnansweredMessages
    )
    package static let maxUnreadBytes = ServerLimit(
        "max-unread-bytes",
        "Maximum number of bytes of lines that a client has not read.",
        unit: .bytes,
        allowed: 4096...1 << 30,
        sets: \.limits.maxUnsentBytes
    )
    package static let maxMemory = ServerLimit(
        "max-memory",
        "Maximum number of bytes of the waiting frames of all connections.",
        unit: .bytes,
        allowed: 1 << 20...1 << 44,
        machineDefault: "512M, at most an eighth of the memory",
        sets: \.limits.maxMemoryBytes
    )
    package static let maxWrongTokens = ServerLimit(
        "max-wrong-tokens",
        "Maximum number of different wrong tokens from one address in a minute.",
        allowed: 1...1_000_000,
        sets: \.limits.maxWrongTokens
    )
    package static let wrongTokenDelay = ServerLimit(
        "wrong-token-delay",
        "Seconds before a wrong token is answered.",
        sets: \.limits.wrongTokenDelay
    )
    package static let firstMessageTime = ServerLimit(
        "first-message-time",
        "Maximum seconds from connecting to the first message or HTTP request, and to the token if a message needs one.",
        sets: \.limits.firstMessageTime
    )
    package static let messageTime = ServerLimit(
        "message-time",
        "Maximum seconds from the first byte of a message or HTTP request to its last.",
        sets: \.limits.messageTime
    )
    package static let idleTime = ServerLimit(
        "idle-time",
        "Maximum seconds between the messages of a client, pings included.",
        sets: \.limits.idleTime
    )
    package static let grace = ServerLimit(
        "grace",
        "Maximum seconds for clients to receive their last lines when the server stops.",
        sets: \.grace
    )
    package static let slowReaderTime = ServerLimit(
        "slow-reader-time",
        "Maximum seconds in which a client reads no byte of its waiting lines or HTTP response.",
        sets: \.limits.slowReaderTime
    )
    package static let peerTime = ServerLimit(
        "peer-time",
        "Maximum seconds in which a client's system acknowledges nothing, not even TCP keep-alive probes.",
        allowed: TCPKeepAlive.allowedTimes,
        sets: \.limits.peerTime
    )
}
