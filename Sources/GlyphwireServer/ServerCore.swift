internal import GlyphwireProtocol
internal import TextModel
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOSSL
internal import Synchronization
internal import TextRecognition

/// What all connections of a server share.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let engine: any ReadingEngine
    let access: AccessControl
    let logger: Logger
    let queue: FrameQueue
    private let secured: NIOLockedValueBox<NIOSSLContext?>
    let connections = ConnectionRegistry()
    let addresses: AddressBook
    /// What frames that wait take.
    let memory: MemoryBudget
    /// What streams remember of the frames that were read.
    let remembered: MemoryBudget
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
        self.access = AccessControl(tokens: configuration.tokens)
        self.logger = logger
        self.addresses = AddressBook(limits: configuration.limits)
        self.memory = MemoryBudget(limit: configuration.limits.maxMemoryBytes)
        self.remembered = MemoryBudget(limit: configuration.limits.maxMemoryBytes)
        self.secured = NIOLockedValueBox(nil)
        self.queue = FrameQueue(workers: configuration.workers)
        var hello = ByteBuffer()
        LineWriter().write(
            hello: Hello(
                version: GlyphwireServer.version,
                authentication: self.access.isAsked ? .token : .none,
                limits: configuration.limits.wire,
                levels: engine.levels
            ),
            into: &hello
        )
        self.hello = hello
    }

    /// What new connections are secured with, if the server speaks TLS.
    var tls: NIOSSLContext? { self.secured.withLockedValue(\.self) }

    /// Reads the files for TLS, if there are any; connections that are open keep what they have.
    func readTLSFiles() throws(GlyphwireServerError) {
        guard let files = self.configuration.tls else { return }
        let context = try files.context()
        self.secured.withLockedValue { $0 = context }
    }

    /// Has every connection look whether its token still lets in.
    func tokensChanged() {
        self.meters.tokenChanges.wrappingAdd(1, ordering: .relaxed)
        self.connections.tokensChanged()
    }

    /// Ends the connections of tokens that have expired since the last call.
    func endExpiredTokens() {
        if self.access.hasExpiredToken(at: WallClock.seconds) { self.tokensChanged() }
    }

    /// Counts a frame that was answered.
    func count(_ result: FrameResult) { self.statistics.withLockedValue { $0.frameAnswered(result) } }
}
