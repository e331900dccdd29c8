import GlyphwireProtocol
import Logging
import NIOCore
import ServiceLifecycle
import TextEngine

@testable import GlyphwireServer

/// A server with a stub for an engine, on a port that was free.
struct TestServer: Sendable {
    let port: Int
    private let group: ServiceGroup

    /// Does what SIGTERM does.
    func shutDown() async { await self.group.triggerGracefulShutdown() }

    /// Runs `body` against a server, which is shut down after it.
    static func run<Result>(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        reader: @escaping StubReader.Body = StubReader.firstByte,
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.workers = 2
        configure(&configuration)
        let (addresses, continuation) = AsyncStream<SocketAddress>.makeStream()
        let server = GlyphwireServer(
            configuration: configuration,
            engine: StubEngine(reader),
            logger: .silent,
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
            let result = try await body(TestServer(port: port, group: group))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    struct NotListening: Error {}
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
