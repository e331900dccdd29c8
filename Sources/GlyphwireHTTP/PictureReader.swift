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
        /// The orientation; 0 takes it from the file.
        var orientation: UInt8 = 0
    }

    private let workers: Int
    /// The limit of pictures that are decoded at a time: two for each worker, so that none waits.
    private let semaphore: AsyncSemaphore
    /// The limit of pictures that are decoded though there is no room for them: one, so that any allowed one can be read.
    private let exclusive = AsyncSemaphore(capacity: 1)

    /// A reader for a server with `workers` threads that read.
    init(workers: Int) {
        self.workers = workers
        self.semaphore = AsyncSemaphore(capacity: 2 * workers)
    }

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
        return await self.semaphore.withPermit {
            await self.read(file(), configuration: configuration, with: reader, in: nil)
        }
    }

    /// Decodes a picture on a thread that may block; alone if the memory for payloads has no room for it.
    ///
    /// - Parameters:
    ///   - file: The picture.
    ///   - reader: The reader of the request.
    ///   - body: Decodes the file, and reserves memory with the function that it is given.
    /// - Returns: What `body` returns.
    /// - Throws: ``PictureError``, or another error if the server is stopping.
    func decode<Value: Sendable>(
        _ file: File,
        with reader: LocalReader,
        _ body: @escaping @Sendable (PictureFile, @escaping @Sendable (Int) -> Bool) throws -> Value
    ) async throws -> Value {
        let memory = HeldMemory(reader)
        defer { memory.removeAll() }
        let result = await Self.decoded(file, hold: memory.addIfRoom, body)
        guard case .failure(let error as PictureError) = result, error.code == .noMemory else {
            return try result.get()
        }
        return try await self.exclusive.withPermit { await Self.decoded(file, hold: { _ in true }, body) }.get()
    }

    private static func decoded<Value: Sendable>(
        _ file: File,
        hold: @escaping @Sendable (Int) -> Bool,
        _ body: @escaping @Sendable (PictureFile, @escaping @Sendable (Int) -> Bool) throws -> Value
    ) async -> Result<Value, any Error> {
        do {
            return .success(
                try await NIOThreadPool.singleton.runIfActive {
                    try body(PictureFile(bytes: file.bytes, path: file.name), hold)
                }
            )
        } catch {
            return .failure(error)
        }
    }

    private func read(
        _ file: File,
        configuration: StreamConfiguration,
        with reader: LocalReader,
        in stream: LocalStream?
    ) async -> FrameResult {
        let frame: FrameDescription
        let payload: ByteBuffer
        do {
            (frame, payload) = try await self.decode(file, with: reader) { picture, hold in
                let (frame, payload) = try picture.frame(
                    orientation: file.orientation,
                    limits: reader.limits,
                    hold: hold
                )
                return (frame, ByteBuffer(bytes: payload))
            }
        } catch let error as PictureError {
            return FrameResult(unread: WireError(error))
        } catch {
            return FrameResult(unread: WireError(.internalError, "the server is stopping; ask another, or again later"))
        }
        let memory = HeldMemory(reader)
        defer { memory.removeAll() }
        guard memory.add(payload.readableBytes) else {
            return FrameResult(unread: WireError(.overloaded, "the server has no memory left for it"))
        }
        if let stream { return await stream.read(frame, payload: payload, configuration: configuration) }
        return await reader.read(frame, payload: payload, configuration: configuration)
    }
}
