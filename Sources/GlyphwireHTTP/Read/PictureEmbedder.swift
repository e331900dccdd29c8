internal import GlyphwireProtocol
internal import GlyphwireServer
internal import ImageCodecs

/// Encoder of a request's pictures for a document that embeds them.
struct PictureEmbedder: Sendable {
    /// The pictures.
    let content: ReadRequest
    /// The reader that has their turns.
    let pictures: PictureReader
    /// The reader of the request.
    let reader: LocalReader

    /// Applies `body` to the images of the pictures.
    ///
    /// One picture has room in any case, once it is its turn. Several together have none beyond the budget.
    ///
    /// - Parameters:
    ///   - memory: The memory share of the request.
    ///   - body: Writes the document with the images, in order.
    /// - Returns: What `body` returns.
    /// - Throws: The error of the first picture that cannot be embedded, or of a document that has no memory.
    func withImages<Value: Sendable>(
        holding memory: HeldMemory,
        _ body: @escaping @Sendable ([EncodedImage]) async -> Value
    ) async throws(ReadError) -> Value {
        do {
            if self.content.pictures.count == 1 {
                return try await self.withPermitAndMemory { memory in
                    let image = try await self.image(of: self.content.pictures[0], holding: memory)
                    try Self.hold([image], in: memory)
                    return await body([image])
                }
            }
            let images = try await self.pictures.map(self.content.pictures) { await self.image(of: $0) }
                .map { try $0.get() }
            try Self.hold(images, in: memory)
            return await body(images)
        } catch {
            throw ReadError(WireError(undecoded: error))
        }
    }

    /// Applies `body` to memory for a picture, once it is its turn.
    private func withPermitAndMemory<Value: Sendable>(
        _ body: @escaping @Sendable (HeldMemory) async throws -> Value
    ) async throws -> Value {
        try await self.pictures.withPermit { try await self.pictures.withMemory(of: self.reader, body) }
    }

    /// The image of one of several pictures, with memory until it is decoded.
    private func image(of picture: ReadRequest.Picture) async -> Result<EncodedImage, any Error> {
        do {
            return .success(try await self.withPermitAndMemory { try await self.image(of: picture, holding: $0) })
        } catch {
            return .failure(error)
        }
    }

    /// The image of a picture, with memory that is reserved before it is decoded.
    private func image(of picture: ReadRequest.Picture, holding memory: HeldMemory) async throws -> EncodedImage {
        let limits = self.reader.limits.picture
        let image = try await self.pictures.decode(self.content.file(of: picture, orientation: 0)) { file in
            try EncodedImage(file, limits: DecodingLimits(limits, hold: memory.addIfRoom))
        }
        memory.removeAll()
        return image
    }

    /// Reserves memory for images, and once more for the document, which repeats them.
    private static func hold(_ images: [EncodedImage], in memory: HeldMemory) throws(PictureError) {
        guard memory.addIfRoom(2 * images.reduce(0) { $0 + $1.bytes.count }) else {
            throw PictureError(
                .noMemory,
                "the server has no memory left for the document; send it again later, or fewer pictures"
            )
        }
    }
}
