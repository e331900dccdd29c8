import ImageCodecs
import GlyphwireHTTP
import GlyphwireProtocol
import GlyphwireServer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TestSupport
import TextRecognition

/// A server with HTTP on free ports, for the duration of a test.
struct TestHTTPServer: Sendable {
    /// The frame port.
    let port: Int
    /// The HTTP port.
    let httpPort: Int
    private let group: ServiceGroup
    private let server: CancellableServer
    private let service: HTTPService

    /// Replaces the tokens, as SIGHUP does.
    func replace(tokens: [AccessToken]) { self.server.base.replace(tokens: tokens) }

    /// Reloads the TLS files of the HTTP service, as SIGHUP does.
    func readTLSFiles() throws { try self.service.readTLSFiles() }

    /// The rest of the grace period.
    var graceLeft: Duration { self.server.base.graceLeft }

    /// Shuts down, as SIGTERM does.
    func shutDown() async { await self.group.triggerGracefulShutdown() }

    /// Cancels the server, which abandons its frames as at the end of the grace period; the HTTP service goes on.
    func cancelServer() { self.server.cancel() }

    static func run<Result>(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        token: AccessToken? = nil,
        workers: Int = 2,
        maxConnections: Int = 256,
        maxPages: Int = 16,
        maxBodyBytes: Int = 1 << 20,
        maxMemoryBytes: Int = 512 << 20,
        idleTime: Duration = .seconds(60),
        allowedOrigins: AllowedOrigins = .none,
        tls: TLSFiles? = nil,
        logger: Logger = .silent,
        engine configureEngine: (inout StubEngine) -> Void = { _ in },
        reader: @escaping StubReader.Body = StubReader.firstByte,
        _ body: (TestHTTPServer) async throws -> Result
    ) async throws -> Result {
        var configuration = ServerConfiguration()
        (configuration.port, configuration.workers) = (0, workers)
        configuration.tokens = token.map { [$0] } ?? []
        configuration.limits.maxMemoryBytes = maxMemoryBytes
        configure(&configuration)
        var engine = StubEngine(reader)
        configureEngine(&engine)
        let (ports, continuation) = AsyncStream<(frames: Bool, port: Int)>.makeStream()
        let metrics = PrometheusMetrics()
        let server = GlyphwireServer(
            configuration: configuration,
            engine: engine,
            logger: logger,
            metrics: metrics,
            onListening: { continuation.yield((true, $0.port ?? 0)) }
        )
        var http = HTTPConfiguration(port: 0)
        http.maxConnections = maxConnections
        http.maxPages = maxPages
        http.maxBodyBytes = maxBodyBytes
        http.idleTime = idleTime
        http.allowedOrigins = allowedOrigins
        http.tls = tls
        let service = HTTPService(
            configuration: http,
            server: server,
            metrics: metrics,
            logger: .silent,
            onListening: { continuation.yield((false, $0.port ?? 0)) }
        )
        let cancellable = CancellableServer(server)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [service, cancellable], logger: .silent)
        )
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await group.run()
                continuation.finish()
            }
            var found: [Bool: Int] = [:]
            for await (isFrames, port) in ports {
                found[isFrames] = port
                if found.count == 2 { break }
            }
            guard let port = found[true], let httpPort = found[false] else { throw TestServer.NotListening() }
            let result = try await body(
                TestHTTPServer(port: port, httpPort: httpPort, group: group, server: cancellable, service: service)
            )
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    /// Requests `path` on a new connection.
    func get(_ path: String, host: String = "127.0.0.1", headers: [String] = []) async throws -> TestResponse {
        try await self.exchange(
            ["GET \(path) HTTP/1.1", "Host: \(host):\(self.httpPort)", "Connection: close"] + headers
        )
    }

    /// Sends `body` to `path` on a new connection.
    func post(_ path: String, body: String, headers: [String] = []) async throws -> TestResponse {
        try await self.post(path, body: Array(body.utf8), headers: headers)
    }

    /// Sends the bytes of `body` to `path` on a new connection.
    func post(_ path: String, body: [UInt8], headers: [String] = []) async throws -> TestResponse {
        let lines =
            [
                "POST \(path) HTTP/1.1", "Host: 127.0.0.1:\(self.httpPort)", "Connection: close",
                "Content-Length: \(body.count)",
            ] + headers
        return try await self.exchange(lines, body: body)
    }

    /// Sends a literal request, and reads until the server has closed the connection.
    func exchange(_ lines: [String], body: [UInt8] = []) async throws -> TestResponse {
        let client = try await TestClient.connect(port: self.httpPort)
        var request = ByteBuffer(string: (lines + ["", ""]).joined(separator: "\r\n"))
        request.writeBytes(body)
        try await client.send(request)
        var answer: [String] = []
        while let line = await client.nextText() { answer.append(line) }
        try? await client.close()
        return TestResponse(lines: answer)
    }

    /// Requests `path` and leaves the response to the test.
    func request(_ path: String, host: String = "127.0.0.1", headers: [String] = []) async throws -> TestClient {
        let client = try await TestClient.connect(port: self.httpPort)
        let lines = ["GET \(path) HTTP/1.1", "Host: \(host):\(self.httpPort)"] + headers + ["", ""]
        try await client.send(ByteBuffer(string: lines.joined(separator: "\r\n")))
        return client
    }

    /// Requests `path` until the response has `status`; the test's time limit ends the wait.
    func get(_ path: String, until status: Int) async throws -> TestResponse {
        while true {
            let response = try await self.get(path)
            if response.status == status { return response }
            await Task.yield()
        }
    }
}

/// Server that a test can cancel alone; the other services then run until the shutdown.
private struct CancellableServer: Service {
    let base: GlyphwireServer
    /// Ends when the test cancels the server, or it has ended by itself.
    private let cancelled: AsyncStream<Void>
    private let cancellation: AsyncStream<Void>.Continuation

    init(_ base: GlyphwireServer) {
        self.base = base
        (self.cancelled, self.cancellation) = AsyncStream<Void>.makeStream()
    }

    func cancel() { self.cancellation.finish() }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { self.cancel() }
                try await self.base.run()
            }
            for await _ in self.cancelled {}
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
        // A service that ends before the shutdown ends the others.
        try? await gracefulShutdown()
    }
}

/// Response whose body is lines, the last perhaps without its end.
struct TestResponse: Sendable {
    /// Version, such as HTTP/1.1.
    let version: String
    let status: Int
    let headers: [String: String]
    let body: String

    init(lines: [String]) {
        let lines = lines.map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 }
        let words = (lines.first ?? "").split(separator: " ")
        self.version = String(words.first ?? "")
        self.status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        let end = lines.firstIndex(of: "") ?? lines.endIndex
        var headers: [String: String] = [:]
        for line in lines[..<end].dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmed
            headers[line[..<colon].lowercased(), default: ""] +=
                headers[line[..<colon].lowercased()] == nil ? value : ", \(value)"
        }
        self.headers = headers
        self.body = lines[end...].dropFirst().joined(separator: "\n")
    }
}

extension Substring {
    fileprivate var trimmed: String { String(self.drop { $0 == " " }) }
}
