internal import NIOCore
internal import NIOPosix

/// Proxy between clients and a server that passes on every byte, and records what each client sends as a session.
package struct RecordingProxy: Sendable {
    /// What a client has sent.
    package struct Recording: Sendable {
        /// The session's path.
        package var path: String
        /// Frames that it has begun to send.
        package var frames: Int
        /// All that it has sent.
        package var bytes: Int
        /// Why its connection broke; `nil` if it ended.
        package var failure: String?
    }

    /// The address that clients connect to.
    package var host = "127.0.0.1"
    /// The port that clients connect to; 0 takes one that is free.
    package var port: Int
    /// The server's name or address.
    package var serverHost: String
    /// The server's port.
    package var serverPort: Int
    /// The session of the first client; those of others have their numbers in the name.
    package var output: String

    /// A proxy in front of a server.
    package init(port: Int, serverHost: String, serverPort: Int, output: String) {
        self.port = port
        self.serverHost = serverHost
        self.serverPort = serverPort
        self.output = output
    }

    private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Takes clients until it is stopped; those that are connected then are cut off, what they sent is kept.
    ///
    /// - Parameters:
    ///   - stop: Ends it.
    ///   - onListening: Called with the port, once clients may come.
    ///   - onRecording: Called when a client is gone.
    /// - Throws: ``ReplayError`` if the port cannot be listened at.
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
                "port \(self.port) cannot be listened at (\(error)); choose another with --listen"
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
                    stop.onStop { client.channel.close(promise: nil) }
                    group.addTask { onRecording(await self.record(client, to: path)) }
                }
            }
        }
    }

    /// Both directions end on their own: a client that has sent everything may still have answers to come.
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
            try await writer.open(path)
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: self.serverHost, port: self.serverPort) { channel in Self.wrapped(channel) }
            try await client.executeThenClose { fromClient, toClient in
                try await server.executeThenClose { fromServer, toServer in
                    try await withThrowingTaskGroup { group in
                        group.addTask {
                            for try await chunk in fromClient {
                                // Kept first: what the server answers is in the session.
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

/// Writes what one client sends, off the event loop and in order.
private actor RecordingWriter {
    private var file: File?
    private var stamp = CaptureStamp()
    private var byteCount = 0

    func open(_ path: String) async throws {
        self.file = try await NIOThreadPool.singleton.runIfActive { try File(writing: path) }
    }

    func write(_ chunk: ByteBuffer) async throws {
        self.byteCount += chunk.readableBytes
        try await self.append(self.stamp.stamp(chunk, at: Recorder.now()))
    }

    func finish(_ path: String, failure: String?) async -> RecordingProxy.Recording {
        var failure = failure
        do { try await self.append(self.stamp.finish()) } catch { failure = failure ?? "\(error)" }
        return RecordingProxy.Recording(
            path: path,
            frames: self.stamp.frameCount,
            bytes: self.byteCount,
            failure: failure
        )
    }

    private func append(_ bytes: ByteBuffer) async throws {
        guard let file = self.file, bytes.readableBytes > 0 else { return }
        try await NIOThreadPool.singleton.runIfActive { try file.append(bytes) }
    }
}
