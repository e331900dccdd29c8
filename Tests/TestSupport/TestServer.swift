package import GlyphwireServer
package import Logging
internal import NIOCore
internal import ServiceLifecycle
package import TextRecognition

/// A server on a free port, for the duration of a test.
package struct TestServer: Sendable {
    package let port: Int
    private let group: ServiceGroup
    private let server: GlyphwireServer

    /// Shuts down, as SIGTERM does.
    package func shutDown() async { await self.group.triggerGracefulShutdown() }

    /// Replaces the tokens, as SIGHUP does.
    package func replace(tokens: [AccessToken]) { self.server.replace(tokens: tokens) }

    /// Reloads the TLS files, as SIGHUP does.
    package func readTLSFiles() throws { try self.server.readTLSFiles() }

    /// Runs `body` with a server on a stub engine, which is shut down afterwards.
    package static func run<Result>(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        reader: @escaping StubReader.Body = StubReader.firstByte,
        logger: Logger = .silent,
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        try await Self.run(engine: StubEngine(reader), logger: logger, configure, body)
    }

    /// Runs `body` with a server on `engine`, which is shut down afterwards.
    package static func run<Result>(
        engine: any ReadingEngine,
        logger: Logger = .silent,
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.workers = 2
        // If tests share a machine, a client may take long to send its first message.
        configuration.limits.firstMessageTime = .seconds(60)
        configure(&configuration)
        let (addresses, continuation) = AsyncStream<SocketAddress>.makeStream()
        let server = GlyphwireServer(
            configuration: configuration,
            engine: engine,
            logger: logger,
            onListening: { continuation.yield($0) }
        )
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server], logger: .silent)
        )
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await group.run()
                continuation.finish()
            }
            guard let port = await addresses.first(where: { _ in true })?.port else { throw NotListening() }
            let result = try await body(TestServer(port: port, group: group, server: server))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    package struct NotListening: Error {
        package init() {}
    }
}

extension Logger {
    /// A logger without output.
    package static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A logger whose messages a test can wait for.
    package static func heard() -> (logger: Logger, messages: AsyncStream<String>) {
        let (messages, continuation) = AsyncStream<String>.makeStream()
        return (Logger(label: "test") { _ in HeardLogHandler(continuation: continuation) }, messages)
    }
}

/// Log entry with its metadata as text.
package struct LogEntry: Sendable {
    package let level: Logger.Level
    package let message: String
    package let metadata: [String: String]
}

extension Logger {
    /// Log whose entries a test can wait for, and the entries.
    package static func recorded() -> (logger: Logger, entries: AsyncStream<LogEntry>) {
        let (entries, continuation) = AsyncStream<LogEntry>.makeStream()
        return (Logger(label: "test") { _ in RecordingLogHandler(continuation: continuation) }, entries)
    }
}

/// Passes every entry to a stream.
private struct RecordingLogHandler: LogHandler {
    let continuation: AsyncStream<LogEntry>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
        self.continuation.yield(LogEntry(level: event.level, message: "\(event.message)", metadata: metadata))
    }
}

/// Passes every message to a stream.
private struct HeardLogHandler: LogHandler {
    let continuation: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) { self.continuation.yield("\(event.message)") }
}
