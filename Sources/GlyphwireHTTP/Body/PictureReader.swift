internal import FramePipeline
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import ImageCodecs
internal import NIOCore
internal import NIOPosix
internal import TextModel

/// Reader of the picture files of requests, which a server's workers read in turn with streams.
struct PictureReader: Sendable {
    /// Picture file of a request.
    struct File: Sendable {
        /// The whole file.
        let bytes: [UInt8]
        /// The name of the file in errors.
        let name: String
        /// The time of the last byte of the request.
        let received: ContinuousClock.Instant
        /// The orientation; 0 takes it from the file.
        var orientation: UInt8 = 0
    }

    /// Picture as it waits for a worker.
    private struct Frame: Sendable {
        let description: FrameDescription
        let payload: ByteBuffer
        /// The time that decoding took.
        let decoding: Duration
    }

    /// Files that are decoded or read at a time, for each worker: two, so that none waits.
    private static let filesPerWorker = 2

    private let workers: Int
    /// Threads that decode, apart from those of other work: a large picture takes seconds.
    private let threads: NIOThreadPool
    /// The limit of files that are decoded or read at a time.
    private let semaphore: AsyncSemaphore
    /// The limit of pictures that are decoded and read though there is no room for them: one, so that any allowed one can be.
    private let exclusive = AsyncSemaphore(capacity: 1)

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - workers: The number of the server's threads that read.
    ///   - threads: The threads that decode.
    init(workers: Int, threads: NIOThreadPool) {
        self.workers = workers
        self.threads = threads
        self.semaphore = AsyncSemaphore(capacity: Self.filesPerWorker * workers)
    }

    /// Number of threads that decode: one more than the files that have permits, and at least one per core.
    ///
    /// The frames of streams need no permit, so slow files leave a thread to those of a camera that sends them over HTTP.
    ///
    /// - Parameters:
    ///   - workers: The number of the server's threads that read.
    ///   - cores: The number of cores.
    /// - Returns: At least 3.
    static func threadCount(workers: Int, cores: Int) -> Int { max(Self.filesPerWorker * workers + 1, cores) }

    /// Applies `body` to the pictures of one request, several at a time; a long request does not take all permits.
    ///
    /// - Parameters:
    ///   - pictures: The pictures.
    ///   - body: Reads one.
    /// - Returns: The results, in order.
    func map<Picture: Sendable, Value: Sendable>(
        _ pictures: [Picture],
        _ body: @escaping @Sendable (Picture) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { tasks in
            var values = [Value?](repeating: nil, count: pictures.count)
            for (index, picture) in pictures.enumerated() {
                if index >= self.workers, let (index, value) = await tasks.next() { values[index] = value }
                tasks.addTask { (index, await body(picture)) }
            }
            for await (index, value) in tasks { values[index] = value }
            return values.compactMap(\.self)
        }
    }

    /// Reads a picture, once there is a permit; a frame of a stream needs none.
    ///
    /// A task that is cancelled has nothing more read, as it is when its client has gone.
    ///
    /// - Parameters:
    ///   - file: The picture; called with the permit, since it may copy the file.
    ///   - configuration: The options.
    ///   - reader: The reader of the request.
    ///   - stream: The stream that the picture is a frame of; `nil` reads it on its own.
    /// - Returns: The text, or the error.
    func read(
        _ file: @escaping @Sendable () -> File,
        configuration: StreamConfiguration,
        with reader: LocalReader,
        in stream: LocalStream? = nil
    ) async -> FrameResult {
        // A frame that waited for a permit could not supersede the one before it.
        if let stream { return await self.read(file(), configuration: configuration, with: reader, in: stream) }
        let result = await self.semaphore.withPermit {
            await self.read(file(), configuration: configuration, with: reader, in: nil)
        }
        return result ?? .abandoned
    }

    /// Applies `body` once there is a permit for a picture, which comes before any memory for it.
    ///
    /// - Parameter body: Decodes a picture.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or `CancellationError`.
    func withPermit<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        guard let value = try await self.semaphore.withPermit(body) else { throw CancellationError() }
        return value
    }

    /// Applies `body` to memory for a picture; again, with the only permit for one, if the budget has no room for it.
    ///
    /// That one is not counted: the requests and streams of others would be refused while it is read.
    ///
    /// - Parameters:
    ///   - reader: The reader of the request.
    ///   - body: Reserves memory before it allocates it, and throws ``PictureError/Code/noMemory`` if there is none.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or `CancellationError`.
    func withMemory<Value: Sendable>(
        of reader: LocalReader,
        _ body: @escaping @Sendable (HeldMemory) async throws -> Value
    ) async throws -> Value {
        do {
            let memory = HeldMemory(reader)
            defer { memory.removeAll() }
            return try await body(memory)
        } catch let error as PictureError where error.code == .noMemory {
            let value = try await self.exclusive.withPermit { try await body(HeldMemory(nil)) }
            guard let value else { throw CancellationError() }
            return value
        }
    }

    /// Decodes a picture on a thread that may block.
    ///
    /// - Parameters:
    ///   - file: The picture.
    ///   - body: Decodes the file.
    /// - Returns: What `body` returns.
    /// - Throws: ``PictureError``, or `CancellationError`, also if the service has stopped.
    func decode<Value: Sendable>(
        _ file: File,
        _ body: @escaping @Sendable (PictureFile) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await self.threads.runIfActive {
            try body(PictureFile(bytes: file.bytes, path: file.name))
        }
    }

    private func read(
        _ file: File,
        configuration: StreamConfiguration,
        with reader: LocalReader,
        in stream: LocalStream?
    ) async -> FrameResult {
        do {
            return try await self.withMemory(of: reader) { memory in
                let frame = try await self.frame(of: file, limits: reader.limits, holding: memory)
                // The payload stays until it is read.
                memory.removeAll(butAtMost: frame.payload.readableBytes)
                return await Self.read(frame, of: file, configuration: configuration, with: reader, in: stream)
            }
        } catch is CancellationError {
            return .abandoned
        } catch {
            return FrameResult(unread: WireError(undecoded: error))
        }
    }

    private func frame(
        of file: File,
        limits: WireLimits,
        holding memory: HeldMemory
    ) async throws -> Frame {
        try await self.decode(file) { picture in
            let started = ContinuousClock.now
            let (description, payload) = try picture.frame(
                orientation: file.orientation,
                limits: limits,
                hold: memory.addIfRoom
            )
            // Decoding has counted the pixels of others; the payload of a JPEG is a copy of the file.
            guard description.format != .jpeg || memory.addIfRoom(payload.count) else {
                throw PictureError(.noMemory, "\(file.name): there is no memory left for the picture.")
            }
            return Frame(
                description: description,
                payload: ByteBuffer(bytes: payload),
                decoding: ContinuousClock.now - started
            )
        }
    }

    private static func read(
        _ frame: Frame,
        of file: File,
        configuration: StreamConfiguration,
        with reader: LocalReader,
        in stream: LocalStream?
    ) async -> FrameResult {
        guard let stream else {
            return await reader.read(
                frame.description,
                payload: frame.payload,
                configuration: configuration,
                received: file.received,
                decoding: frame.decoding
            )
        }
        return await stream.read(
            frame.description,
            payload: frame.payload,
            configuration: configuration,
            received: file.received,
            decoding: frame.decoding
        )
    }
}

extension WireError {
    /// The error of a picture that is not decoded: its own, or that of a server that is stopping.
    init(undecoded error: any Error) {
        if let error = error as? PictureError {
            self.init(error)
        } else {
            self = .serverStops
        }
    }
}

extension FrameResult {
    /// Result of a picture whose client has left.
    fileprivate static let abandoned = FrameResult(
        sequence: 0,
        capturedMicroseconds: 0,
        outcome: .expired,
        timings: FrameTimings()
    )
}
