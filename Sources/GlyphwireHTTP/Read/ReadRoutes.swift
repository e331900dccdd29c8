internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TextFormats
internal import TextModel

/// Route of `POST /v1/read`: pictures in, their text out in the format that `Accept` names.
struct ReadRoutes {
    private static let path = "v1/read"

    let server: GlyphwireServer
    let bodies: RequestBodyReader
    let pictures: PictureReader

    func add(to router: some RouterMethods<BasicRequestContext>) {
        router.post("\(Self.path)") { request, _ in await self.answer(request) }
    }

    /// Whether `path` is that of this route.
    static func isPath(_ path: String) -> Bool { path.split(separator: "/").joined(separator: "/") == self.path }

    private func answer(_ request: Request) async -> Response {
        let reader = self.server.makeLocalReader()
        let memory = HeldMemory(reader)
        defer {
            memory.removeAll()
            reader.rest()
        }
        do throws(ReadError) {
            let format = try Self.format(of: request)
            let query = try self.query(of: request, format: format.format, reader: reader)
            let body: [UInt8]
            do throws(BodyError) {
                body = try await self.bodies.body(of: request, holding: memory)
            } catch {
                throw ReadError(error, maxByteCount: self.bodies.maxByteCount)
            }
            let content = try ReadRequest(body, contentType: request.headers[.contentType])
            let results = await self.pictures.map(content.pictures) { picture in
                var result = await self.pictures.read(
                    { content.file(of: picture, orientation: query.orientation) },
                    configuration: query.configuration,
                    with: reader
                )
                result.sequence = UInt64(picture.index)
                return result
            }
            return try Self.response(results, names: content.names, query: query, format: format)
        } catch {
            return error.response
        }
    }

    private static func format(of request: Request) throws(ReadError) -> AcceptedFormat {
        let header = request.headers[.accept]
        guard let format = AcceptedFormat(header: header) else {
            throw ReadError(
                badRequest: "\"Accept\" is \"\((header ?? "").prefix(64))\"; ask for one of \(AcceptedFormat.offered)",
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
            let configuration = query.configuration
            guard format.coordinates.contains(configuration.coordinates) else {
                let allowed = format.coordinates.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
                throw WireError(
                    .badOption,
                    "\"coordinates\" is \"\(configuration.coordinates.rawValue)\", which \(format.rawValue) cannot express; "
                        + "send \(allowed)"
                )
            }
            guard configuration.reading.recognize || format != .text else {
                throw WireError(.badOption, "\"recognize\" is false, so that there is no text; ask for another format")
            }
            try reader.validate(configuration)
            return query
        } catch {
            throw ReadError(error)
        }
    }

    /// The response with all results.
    ///
    /// Only result lines have a place for errors: in another format an error of any picture is that of the request, as is the
    /// error of a request's only picture.
    private static func response(
        _ results: [FrameResult],
        names: [String],
        query: ReadQuery,
        format: AcceptedFormat
    ) throws(ReadError) -> Response {
        var status = HTTPResponse.Status.ok
        for result in results {
            guard case .error(let error) = result.outcome else { continue }
            guard format.format == .json else { throw ReadError(error) }
            if results.count == 1 { status = ReadError(error).status }
        }
        var writer = format.format.makeWriter(pictures: names, languages: query.configuration.reading.languages)
        var body = ByteBuffer()
        writer.begin(into: &body)
        for (index, result) in results.enumerated() {
            writer.write(Page(number: index + 1, name: names[index], result: result), into: &body)
        }
        writer.end(into: &body)
        return .bytes(body, status: status, contentType: format.contentType(pictureCount: results.count))
    }
}
