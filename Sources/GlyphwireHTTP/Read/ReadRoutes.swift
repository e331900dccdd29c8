internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import ImageCodecs
internal import NIOCore
internal import NIOPosix
internal import TextFormats
internal import TextModel

/// Route of `POST /v1/read`: pictures in, their text out in the format that `Accept` names.
struct ReadRoutes {
    private static let path = "/v1/read"
    private static let endpoint = Endpoint(
        .post,
        Self.path,
        summary: "reads pictures, as the body or a form",
        content: "a picture",
        isOpen: true,
        errors: ErrorForm(covers: Self.isPath) { refusal in
            let error = WireError(refusal.code, refusal.message)
            return ReadError(error, status: refusal.status, headers: refusal.headers).response
        }
    )

    let server: GlyphwireServer
    let connections: HTTPConnections
    let bodies: RequestBodyReader
    let pictures: PictureReader
    let streams: ReadStreams

    /// The route.
    var route: Route {
        Route(Self.endpoint) { request, context in
            await self.connections.clientDisconnect(of: context.channel).withCancellation {
                await self.answer(request, token: context.token)
            }
        }
    }

    /// Whether `path` is that of this route.
    private static func isPath(_ path: String) -> Bool {
        "/" + path.split(separator: "/").joined(separator: "/") == self.path
    }

    private func answer(_ request: Request, token: String?) async -> Response {
        let reader = self.server.makeLocalReader()
        let memory = HeldMemory(reader)
        defer {
            memory.removeAll()
            reader.rest()
        }
        do throws(ReadError) {
            let format = try Self.format(of: request)
            let query = try self.query(of: request, format: format.format, reader: reader)
            let content = try await self.content(of: request, holding: memory)
            let results = try await self.results(of: content, query: query, token: token, with: reader)
            let error = try self.error(of: results, in: format.format)
            let write = { @Sendable (images: [EncodedImage]) in
                await NIOThreadPool.runLongWork {
                    Self.response(results, of: content, images: images, query: query, format: format, error: error)
                }
            }
            guard format.format.embedsPictures else { return await write([]) }
            return try await PictureEmbedder(content: content, pictures: self.pictures, reader: reader)
                .withImages(holding: memory, write)
        } catch {
            return error.response
        }
    }

    /// The pictures in the body of a request.
    private func content(of request: Request, holding memory: HeldMemory) async throws(ReadError) -> ReadRequest {
        let body: RequestBody
        do throws(BodyError) {
            body = try await self.bodies.body(of: request, holding: memory)
        } catch {
            throw ReadError(error, maxByteCount: self.bodies.maxByteCount)
        }
        let contentType = request.headers[.contentType]
        guard ReadRequest.isTakenApart(contentType) else { return try ReadRequest(body, contentType: contentType) }
        return try await NIOThreadPool.runLongWork { () throws(ReadError) in
            try ReadRequest(body, contentType: contentType)
        }
    }

    /// Reads the pictures on their own, or the only one as the next frame of its stream.
    private func results(
        of content: ReadRequest,
        query: ReadQuery,
        token: String?,
        with reader: LocalReader
    ) async throws(ReadError) -> [FrameResult] {
        guard let name = query.stream else {
            return await self.pictures.map(content.pictures) { picture in
                var result = await self.pictures.read(
                    { content.file(of: picture, orientation: query.orientation) },
                    configuration: query.configuration,
                    with: reader
                )
                result.sequence = UInt64(picture.index)
                return result
            }
        }
        guard content.pictures.count == 1, let picture = content.pictures.first else {
            throw ReadError(badRequest: "a frame of a stream is one picture; send each in a request of its own")
        }
        return try await self.streams.withStream(name, of: token) { stream in
            [
                await self.pictures.read(
                    { content.file(of: picture, orientation: query.orientation) },
                    configuration: query.configuration,
                    with: reader,
                    in: stream
                )
            ]
        }
    }

    private static func format(of request: Request) throws(ReadError) -> AcceptedFormat {
        let header = request.headers[.accept]
        guard let format = AcceptedFormat(header: header) else {
            throw ReadError(
                badRequest: "\"Accept\" is \"\((header ?? "").shortened)\"; ask for one of \(AcceptedFormat.offered)",
                status: .notAcceptable
            )
        }
        return format
    }

    /// The options of a request, which the server and the format of the response support.
    private func query(
        of request: Request,
        format: TextFormat,
        reader: LocalReader
    ) throws(ReadError) -> ReadQuery {
        do throws(WireError) {
            let query = try ReadQuery(
                request.uri.query ?? "",
                defaults: self.server.monitor.defaults,
                limits: reader.limits
            )
            try Self.check(query.configuration, for: format)
            try reader.validate(query.configuration)
            return query
        } catch {
            throw ReadError(error)
        }
    }

    /// Checks that the format of a response has what the options ask for.
    private static func check(_ configuration: StreamConfiguration, for format: TextFormat) throws(WireError) {
        guard format.coordinates.contains(configuration.coordinates) else {
            let allowed = format.coordinates.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            throw WireError(
                .badOption,
                "\"coordinates\" is \"\(configuration.coordinates.rawValue)\", which \(format.rawValue) cannot express; "
                    + "send \(allowed)"
            )
        }
        guard configuration.reading.recognize || ![.text, .pdf].contains(format) else {
            throw WireError(.badOption, "\"recognize\" is false, so that there is no text; ask for another format")
        }
        guard format.hasMatches || !configuration.searches else {
            throw WireError(
                .badOption,
                "\"find\" is there, but \(format.rawValue) has no matches; ask for text/plain or application/json"
            )
        }
    }

    /// The error of a response with all results; `nil` for none.
    ///
    /// Only result lines have a place for errors, and for frames that were not read: in another format the error of any picture is
    /// that of the request. In result lines, that of a request's only picture is.
    private func error(of results: [FrameResult], in format: TextFormat) throws(ReadError) -> ReadError? {
        let graceLeft = self.server.graceLeft
        for result in results where format != .json {
            if let error = ReadError(unread: result, graceLeft: graceLeft) { throw error }
        }
        guard results.count == 1, case .error(let error) = results[0].outcome else { return nil }
        return ReadError(ofPicture: error, graceLeft: graceLeft)
    }

    /// The response with all results.
    private static func response(
        _ results: [FrameResult],
        of content: ReadRequest,
        images: [EncodedImage],
        query: ReadQuery,
        format: AcceptedFormat,
        error: ReadError?
    ) -> Response {
        let languages = query.configuration.reading.languages
        var writer = format.format.makeWriter(pictures: content.names, languages: languages)
        var body = ByteBuffer()
        writer.begin(into: &body)
        for (index, result) in results.enumerated() {
            let image = images.isEmpty ? nil : images[index]
            writer.write(
                Page(number: index + 1, name: content.names[index], result: result, image: image),
                into: &body
            )
        }
        writer.end(into: &body)
        return .bytes(
            body,
            status: error?.status ?? .ok,
            contentType: format.contentType(pictureCount: results.count),
            headers: error?.headers ?? [:]
        )
    }
}
