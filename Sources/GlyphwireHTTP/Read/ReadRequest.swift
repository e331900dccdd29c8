internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird
internal import ImageCodecs

/// Pictures in the body of a request to read them: the body itself, or the files of a form.
struct ReadRequest: Sendable {
    /// Picture of the request.
    struct Picture: Sendable {
        /// The name of the file; empty if the body is the picture.
        let name: String
        /// Where the file is in the body.
        let range: Range<Int>
        /// Its place among the pictures, from 0.
        let index: Int
    }

    /// The limit of pictures in one request, as of an `images:annotate` request.
    static let maxPictures = AnnotateRequest.maxImages

    private let body: RequestBody
    /// The pictures, at least one.
    private(set) var pictures: [Picture] = []

    /// Takes the body of a request apart.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: The value of its `Content-Type`, which counts only if it is that of a form: pictures are known by their
    ///     first bytes, and `curl --data-binary` sends a wrong one.
    /// - Throws: ``ReadError`` of a body without pictures, or with too many.
    init(_ body: RequestBody, contentType: String?) throws(ReadError) {
        self.body = body
        guard let contentType, contentType.lowercased().hasPrefix("multipart/") else {
            guard !body.bytes.isEmpty else { throw Self.noPicture }
            self.pictures = [Picture(name: "", range: body.bytes.indices, index: 0)]
            return
        }
        guard contentType.lowercased().hasPrefix("multipart/form-data") else {
            throw ReadError(
                badRequest: "the body is \(contentType.shortened); send a picture, or multipart/form-data",
                status: .unsupportedMediaType
            )
        }
        let fields: [MultipartForm.Field]
        do throws(MultipartForm.Failure) {
            fields = try MultipartForm(body.bytes, contentType: contentType).fields
        } catch {
            throw ReadError(badRequest: "the body is no multipart/form-data: \(error.message)")
        }
        // Forms send a file field in which nothing was chosen as an empty file without a name.
        for field in fields where field.fileName != "" || !field.range.isEmpty {
            guard field.fileName != nil || !ReadQuery.isOption(field.name) else {
                throw ReadError(
                    badRequest:
                        "the field \"\(field.name)\" is an option; send it in the query, as ?\(field.name)=VALUE"
                )
            }
            self.pictures.append(
                Picture(name: field.fileName ?? field.name, range: field.range, index: self.pictures.count)
            )
        }
        guard !self.pictures.isEmpty else { throw Self.noPicture }
        guard self.pictures.count <= Self.maxPictures else {
            throw ReadError(
                WireError(
                    .messageTooLarge,
                    "the request has \(self.pictures.count) pictures, the limit is \(Self.maxPictures); send several requests"
                ),
                status: .contentTooLarge
            )
        }
    }

    /// The names of the pictures.
    var names: [String] { self.pictures.map(\.name) }

    /// The file of a picture.
    func file(of picture: Picture, orientation: UInt8) -> PictureReader.File {
        let bytes = self.body.bytes
        return PictureReader.File(
            // The body itself is not copied.
            bytes: picture.range == bytes.indices ? bytes : Array(bytes[picture.range]),
            name: picture.name.isEmpty ? "the body" : picture.name,
            received: self.body.received,
            orientation: orientation
        )
    }

    private static let noPicture = ReadError(
        WireError(
            .emptyPayload,
            "the request has no picture; send a \(PictureFile.supportedFormats.replacing(" and ", with: " or ")) file as the "
                + "body, or several as multipart/form-data"
        )
    )
}
