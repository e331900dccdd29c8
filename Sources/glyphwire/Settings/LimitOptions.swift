internal import ArgumentParser
internal import GlyphwireServer

/// Number of bytes, written with an optional suffix K, M or G.
struct ByteCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        guard let value = ServerLimit.number(argument) else { return nil }
        self.value = value
    }
}

/// Limits of `glyphwire serve`: the flags of the table of limits.
struct LimitOptions: ParsableArguments {
    @OptionGroup var frames: FrameLimitOptions

    @Option(.maxMessageBytes) var maxMessageBytes: ServerLimit.Setting?
    @Option(.maxLZ4Ratio) var maxLZ4Ratio: ServerLimit.Setting?
    @Option(.maxConfigureBytes) var maxConfigureBytes: ServerLimit.Setting?
    @Option(.maxUnauthenticatedBytes) var maxUnauthenticatedBytes: ServerLimit.Setting?
    @Option(.maxConnections) var maxConnections: ServerLimit.Setting?
    @Option(.maxConnectionsPerAddress) var maxConnectionsPerAddress: ServerLimit.Setting?
    @Option(.maxHTTPConnections) var maxHTTPConnections: ServerLimit.Setting?
    @Option(.maxFramesInFlight) var maxFramesInFlight: ServerLimit.Setting?
    @Option(.maxUnansweredMessages) var maxUnansweredMessages: ServerLimit.Setting?
    @Option(.maxUnreadBytes) var maxUnreadBytes: ServerLimit.Setting?
    @Option(.maxMemory) var maxMemory: ServerLimit.Setting?
    @Option(.maxWrongTokens) var maxWrongTokens: ServerLimit.Setting?
    @Option(.wrongTokenDelay) var wrongTokenDelay: ServerLimit.Setting?
    @Option(.firstMessageTime) var firstMessageTime: ServerLimit.Setting?
    @Option(.messageTime) var messageTime: ServerLimit.Setting?
    @Option(.idleTime) var idleTime: ServerLimit.Setting?
    @Option(.slowReaderTime) var slowReaderTime: ServerLimit.Setting?
    @Option(.peerTime) var peerTime: ServerLimit.Setting?
}

extension ParsableArguments {
    /// Limits that were set by the flags of this group of arguments and of the groups in it.
    ///
    /// They are found by reflection, as the argument parser finds the flags, so that no list of them can fall behind.
    var limitSettings: [ServerLimit.Setting] {
        Mirror(reflecting: self).children.flatMap { child -> [ServerLimit.Setting] in
            switch child.value {
            case let option as Option<ServerLimit.Setting?>: [option.wrappedValue].compactMap(\.self)
            case let group as OptionGroup<FrameLimitOptions>: group.wrappedValue.limitSettings
            case let group as OptionGroup<LimitOptions>: group.wrappedValue.limitSettings
            default: []
            }
        }
    }
}

extension Option where Value == ServerLimit.Setting? {
    /// Creates the option of a limit, with its name, help and parser.
    init(_ limit: ServerLimit) {
        self.init(
            name: .customLong(limit.flag),
            help: ArgumentHelp("\(limit.help)", valueName: limit.unit.rawValue),
            transform: { text in try limit.setting(text) }
        )
    }
}

extension [ServerLimit] {
    /// Sets limits from flags, the environment or the configuration file.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, with its defaults.
    ///   - flags: The limits set by flags.
    /// - Throws: `ValidationError` for an invalid value.
    func set(in configuration: inout ServerConfiguration, flags: [ServerLimit.Setting]) throws {
        for limit in self where !flags.contains(where: { $0.limit.flag == limit.flag }) {
            guard let text = Setting.text(limit.variable) else { continue }
            do throws(ServerLimit.InvalidValue) {
                try limit.setting(text).apply(to: &configuration)
            } catch {
                throw ValidationError("\(Setting.places(of: limit.variable)) is \"\(text)\": \(error).")
            }
        }
        for flag in flags { flag.apply(to: &configuration) }
    }
}
