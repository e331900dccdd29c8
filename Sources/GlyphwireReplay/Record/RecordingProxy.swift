internal import GlyphwireProtocol
internal import NIOCore
internal import NIOPosix
internal import SystemSupport

/// Proxy between clients and a server that forwards all bytes and records each client's as a session.
///
/// A session has its path once its client has disconnected, unless that sent nothing.
package struct RecordingProxy: Sendable {
    /// Recording of one client.
    package struct Recording: Sendable {
        /// Path of the session.
        package var path: String
        /// Number of frames whose transmission has begun.
        package var frames: Int
        /// Number of bytes that the client has sent.
        package var bytes: Int
        /// Reason why its connection broke; `nil` if it ended normally.
        package var failure: String?
    }

    /// Address to listen on.
    package var host = "127.0.0.1"
    /// Port to listen on; 0 takes any free one.
    package var port: Int
    /// Server's name or address.
    package var serverHost: String
    /// Server's port.
    package var serverPort: Int
    /// Path of the first client's session; those of others have a number in the name.
    package var output: String

    /// Creates a proxy for a server.
    package init(port: Int, serverHost: String, serverPort: Int, output: String) {
        self.port = port
        self.serverHost = serverHost
        self.serverPort = serverPort
        self.output = output
    }

    private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Serves clients until it is stopped; then connected clients are disconnected, and their recordings are kept.
    ///
    /// - Parameters:
    ///   - stop: Signal to stop.
    ///   - onListening: Called with the port once the proxy listens.
    ///   - onRecording: Called when a client has disconnected.
    /// - Throws: ``ReplayError`` if it cannot listen on the port.
    package func run(
        until stop: StopSignal,
        onListening: @escaping @Sendable (Int) -> Void,
        onRecording: @escaping @Sendable (Recording) -> Void
    ) async throws {
        let listener: NIOAsyncChannel<Bytes, Never>
        do {
            listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: self.host, port: self.port) { channel in Self.wrapped(channel) }
        } catch {
            throw ReplayError(
                .unreadable,
                "cannot listen on port \(self.port) (\(error)); choose another with --listen"
            )
        }
        stop.onStop { listener.channel.close(promise: nil) }
        onListening(listener.channel.localAddress?.port ?? self.port)
        try await withThrowingDiscardingTaskGroup { group in
            try await listener.executeThenClose { clients in
                var number = 0
                for try await client in clients {
                    number += 1
                    let path = number == 1 ? self.output : NumberedPath.path(self.output, number: number)
                    let handler = stop.onStop { client.channel.close(promise: nil) }
                    group.addTask {
                        defer { stop.remove(handler) }
                        onRecording(await self.record(client, to: path))
                    }
                }
            }
        }
    }

    /// Wraps a channel with half-closure: a client that has sent everything may still receive answers.
    private static func wrapped(_ channel: any Channel) -> EventLoopFuture<Bytes> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
            return try Bytes(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
        }
    }

    private func record(_ client: Bytes, to path: String) async -> Recording {
        let writer = RecordingWriter()
        do {
            try await client.executeThenClose { fromClient, toClient in
                try await writer.open(path)
                let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: self.serverHost, port: self.serverPort) { channel in Self.wrapped(channel) }
                try await server.executeThenClose { fromServer, toServer in
                    try await withThrowingTaskGroup { group in
                        group.addTask {
                            for try await chunk in fromClient {
                                // Recorded first, so that the session includes all that the server answers.
                                try await writer.write(chunk)
                                try await toServer.write(chunk)
                            }
                            toServer.finish()
                        }
                        group.addTask {
                            for try await chunk in fromServer { try await toClient.write(chunk) }
                            toClient.finish()
                        }
                        try await group.waitForAll()
                    }
                }
            }
            return await writer.finish(path, failure: nil)
        } catch {
            return await writer.finish(path, failure: "\(error)")
        }
    }
}

/// Writer of one client's recording, in order and off the event loop.
private actor RecordingWriter {
    private var file: OutputFile?
    private var stamp = CaptureStamp()
    private var byteCount = 0

    func open(_ path: String) async throws {
        self.file = try await NIOThreadPool.singleton.runIfActive { try OutputFile(path: path, apartFrom: []) }
    }

    func write(_ chunk: ByteBuffer) async throws {
        self.byteCount += chunk.readableBytes
        try await self.append(self.stamp.stamp(chunk, at: WallClock.microseconds))
    }

    func finish(_ path: String, failure: String?) async -> RecordingProxy.Recording {
        var failure = failure
        do { try await self.append(self.stamp.finish()) } catch { failure = failure ?? "\(error)" }
        // What broke off cannot be recorded again.
        do { try await self.finishFile() } catch { failure = failure ?? "\(error)" }
        return RecordingProxy.Recording(
            path: path,
            frames: self.stamp.frameCount,
            bytes: self.byteCount,
            failure: failure
        )
    }

    private func finishFile() async throws {
        guard let file = self.file, self.byteCount > 0 else { return }
        try await NIOThreadPool.singleton.runIfActive { try file.finish() }
    }

    private func append(_ bytes: ByteBuffer) async throws {
        guard let file = self.file, bytes.readableBytes > 0 else { return }
        try await NIOThreadPool.singleton.runIfActive { try file.append(bytes) }
    }
}
