internal import GlyphwireProtocol
internal import TextModel

/// The table of limits, in the order of the help.
extension ServerLimit {
    /// The limits of frames and their results, which `serve` and `read` share.
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
        "Pixels of a frame; a JPEG may have four times as many.",
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
        "Words of a result; more are left out.",
        allowed: 1...1_000_000,
        sets: \.limits.wire.maxWords
    )
    package static let maxMessageBytes = ServerLimit(
        "max-message-bytes",
        "Bytes of a message, a frame's among them.",
        unit: .bytes,
        allowed: MessageHeader.byteCount...Int(UInt32.max),
        sets: \.limits.wire.maxMessageBytes
    )
    package static let maxLZ4Ratio = ServerLimit(
        "max-lz4-ratio",
        "Bytes of pixels that a byte of LZ4 may stand for.",
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
        "Bytes of a message before the token was shown.",
        unit: .bytes,
        allowed: MessageHeader.byteCount...1 << 24,
        sets: \.limits.maxUnauthenticatedBytes
    )
    package static let maxConnections = ServerLimit(
        "max-connections",
        "Connections at a time.",
        allowed: 1...1_000_000,
        sets: \.limits.maxConnections
    )
    package static let maxConnectionsPerAddress = ServerLimit(
        "max-connections-per-address",
        "Connections at a time from one address.",
        allowed: 1...1_000_000,
        sets: \.limits.maxConnectionsPerAddress
    )
    package static let maxFramesInFlight = ServerLimit(
        "max-frames-in-flight",
        "Unanswered frames of a stream that has every one read.",
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
        "Bytes of lines that a client has not taken.",
        unit: .bytes,
        allowed: 4096...1 << 30,
        sets: \.limits.maxUnsentBytes
    )
    package static let maxMemory = ServerLimit(
        "max-memory",
        "Bytes of frames that wait, of all connections.",
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
        "Until a wrong token is answered.",
        sets: \.limits.wrongTokenDelay
    )
    package static let firstMessageTime = ServerLimit(
        "first-message-time",
        "Until a first message begins, or shows the token.",
        sets: \.limits.firstMessageTime
    )
    package static let messageTime = ServerLimit(
        "message-time",
        "For a whole message to come.",
        sets: \.limits.messageTime
    )
    package static let idleTime = ServerLimit(
        "idle-time",
        "Without a message, pings among them.",
        sets: \.limits.idleTime
    )
    package static let grace = ServerLimit(
        "grace",
        "For clients to get their last lines when it stops.",
        sets: \.grace
    )
    package static let slowReaderTime = ServerLimit(
        "slow-reader-time",
        "Without a byte of waiting lines taken.",
        sets: \.limits.slowReaderTime
    )
    package static let peerTime = ServerLimit(
        "peer-time",
        "Without a sign of life of a client's system.",
        sets: \.limits.peerTime
    )
}
