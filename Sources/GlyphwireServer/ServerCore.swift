internal import GlyphwireProtocol
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import TextEngine

/// What all connections of a server share.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let engine: any ReadingEngine
    let token: AccessToken?
    let logger: Logger
    let queue: FrameQueue
    let connections = ConnectionRegistry()
    let addresses: AddressBook
    let memory: MemoryBudget
    /// The frames of all connections since the start.
    let statistics = NIOLockedValueBox(ServerStatistics())
    let meters = ServerMeters()
    let watchers = WatcherList()
    let selfTest = SelfTest()
    /// The first line of every connection.
    let hello: ByteBuffer

    /// The shared part of a server of `configuration`.
    init(configuration: ServerConfiguration, engine: any ReadingEngine, logger: Logger) {
        self.configuration = configuration
        self.engine = engine
        self.token = configuration.token.map(AccessToken.init)
        self.logger = logger
        self.addresses = AddressBook(limits: configuration.limits)
        self.memory = MemoryBudget(limit: configuration.limits.maxMemoryBytes)
        self.queue = FrameQueue(workers: configuration.workers)
        var hello = ByteBuffer()
        LineWriter().write(
            hello: Hello(
                version: GlyphwireServer.version,
                authentication: self.token == nil ? .none : .token,
                limits: configuration.limits.wire,
                levels: engine.levels
            ),
            into: &hello
        )
        self.hello = hello
    }

    /// Counts a frame that was answered.
    func count(_ result: FrameResult) { self.statistics.withLockedValue { $0.frameAnswered(result) } }
}
