internal import ArgumentParser
internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireServer
internal import NIOCore

/// Bytes, as whole numbers with or without K, M or G behind them.
struct ByteCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let factor = argument.last.flatMap { factors[Character($0.uppercased())] }
        guard let number = Int(factor == nil ? argument[...] : argument.dropLast()) else { return nil }
        let (value, isTooLarge) = number.multipliedReportingOverflow(by: factor ?? 1)
        guard !isTooLarge else { return nil }
        self.value = value
    }
}

/// A time in seconds, with or without a fraction.
struct Seconds: ExpressibleByArgument {
    let value: Duration

    init?(argument: String) {
        guard let seconds = Double(argument), (0.001...1_000_000).contains(seconds) else { return nil }
        self.value = .milliseconds(Int(seconds * 1000))
    }
}

/// The limits of `glyphwire serve`: a flag and an environment variable for each of ``ServerLimits``.
struct LimitOptions: ParsableArguments {
    @OptionGroup var frame: FrameLimitOptions

    @Option(help: ArgumentHelp("Bytes of a message, a frame's among them. (default: 64M)", valueName: "bytes"))
    var maxMessageBytes: ByteCount?

    @Option(help: ArgumentHelp("Bytes of pixels that a byte of LZ4 may stand for. (default: 255)", valueName: "ratio"))
    var maxLZ4Ratio: Int?

    @Option(help: ArgumentHelp("Bytes of a configure body. (default: 64K)", valueName: "bytes"))
    var maxConfigureBytes: ByteCount?

    @Option(help: ArgumentHelp("Bytes of a message before the token was shown. (default: 16K)", valueName: "bytes"))
    var maxUnauthenticatedBytes: ByteCount?

    @Option(help: ArgumentHelp("Connections at a time. (default: 1024)", valueName: "count"))
    var maxConnections: Int?

    @Option(help: ArgumentHelp("Connections at a time from one address. (default: 256)", valueName: "count"))
    var maxConnectionsPerAddress: Int?

    @Option(
        help: ArgumentHelp(
            "Unanswered frames of a stream that has every one read. (default: cores + 2, at most 16)",
            valueName: "count"
        )
    )
    var maxFramesInFlight: Int?

    @Option(help: ArgumentHelp("Unanswered messages of a connection. (default: 128)", valueName: "count"))
    var maxUnansweredMessages: Int?

    @Option(help: ArgumentHelp("Bytes of lines that a client has not taken. (default: 256K)", valueName: "bytes"))
    var maxUnreadBytes: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Bytes of frames that wait, of all connections. (default: 512M, at most an eighth of the memory)",
            valueName: "bytes"
        )
    )
    var maxMemory: ByteCount?

    @Option(help: ArgumentHelp("Wrong tokens from one address within a minute. (default: 10)", valueName: "count"))
    var maxWrongTokens: Int?

    @Option(help: ArgumentHelp("Until a wrong token is answered. (default: 1)", valueName: "seconds"))
    var wrongTokenDelay: Seconds?

    @Option(help: ArgumentHelp("Until a first message begins, or shows the token. (default: 5)", valueName: "seconds"))
    var firstMessageTime: Seconds?

    @Option(help: ArgumentHelp("For a whole message to come. (default: 60)", valueName: "seconds"))
    var messageTime: Seconds?

    @Option(help: ArgumentHelp("Without a message, pings among them. (default: 600)", valueName: "seconds"))
    var idleTime: Seconds?

    @Option(help: ArgumentHelp("Without a byte of waiting lines taken. (default: 60)", valueName: "seconds"))
    var slowReaderTime: Seconds?

    @Option(help: ArgumentHelp("Without a sign of life of a client's system. (default: 150)", valueName: "seconds"))
    var peerTime: Seconds?

    /// What is set, over the defaults.
    ///
    /// - Throws: `ValidationError` for a value that cannot be.
    func limits() throws -> ServerLimits {
        var limits = ServerLimits()
        try self.frame.set(in: &limits.wire)
        let header = MessageHeader.byteCount
        try Limit.set(
            &limits.wire.maxMessageBytes,
            self.maxMessageBytes?.value,
            "MAX_MESSAGE_BYTES",
            header...Int(UInt32.max)
        )
        try Limit.set(&limits.wire.picture.maxLZ4Ratio, self.maxLZ4Ratio, "MAX_LZ4_RATIO", 1...255)
        try Limit.set(&limits.wire.maxConfigureBytes, self.maxConfigureBytes?.value, "MAX_CONFIGURE_BYTES", 2...1 << 24)
        try Limit.set(
            &limits.maxUnauthenticatedBytes,
            self.maxUnauthenticatedBytes?.value,
            "MAX_UNAUTHENTICATED_BYTES",
            header...1 << 24
        )
        try Limit.set(&limits.maxConnections, self.maxConnections, "MAX_CONNECTIONS", 1...1_000_000)
        try Limit.set(
            &limits.maxConnectionsPerAddress,
            self.maxConnectionsPerAddress,
            "MAX_CONNECTIONS_PER_ADDRESS",
            1...1_000_000
        )
        try Limit.set(&limits.window, self.maxFramesInFlight, "MAX_FRAMES_IN_FLIGHT", 1...1024)
        try Limit.set(&limits.maxUnansweredMessages, self.maxUnansweredMessages, "MAX_UNANSWERED_MESSAGES", 1...65536)
        try Limit.set(&limits.maxUnsentBytes, self.maxUnreadBytes?.value, "MAX_UNREAD_BYTES", 4096...1 << 30)
        try Limit.set(&limits.maxMemoryBytes, self.maxMemory?.value, "MAX_MEMORY", 1 << 20...1 << 44)
        try Limit.set(&limits.maxWrongTokens, self.maxWrongTokens, "MAX_WRONG_TOKENS", 1...1_000_000)
        try Self.set(&limits.wrongTokenDelay, self.wrongTokenDelay, "WRONG_TOKEN_DELAY")
        try Self.set(&limits.firstMessageTime, self.firstMessageTime, "FIRST_MESSAGE_TIME")
        try Self.set(&limits.messageTime, self.messageTime, "MESSAGE_TIME")
        try Self.set(&limits.idleTime, self.idleTime, "IDLE_TIME")
        try Self.set(&limits.slowReaderTime, self.slowReaderTime, "SLOW_READER_TIME")
        try Self.set(&limits.peerTime, self.peerTime, "PEER_TIME")
        return limits
    }

    private static func set(_ limit: inout Duration, _ flag: Seconds?, _ name: String) throws {
        if let seconds = try Setting.value(flag, environment: name) { limit = seconds.value }
    }
}
