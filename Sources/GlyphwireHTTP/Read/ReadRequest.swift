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

    /// Beginnings of the media types of files.
    private static let fileTypes = ["image/", "application/octet-stream"]

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
        guard let contentType, Self.isTakenApart(contentType) else {
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
        for field in try self.files(among: fields) {
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

    /// Whether a body of a `Content-Type` has parts, whose ends have to be found among megabytes.
    static func isTakenApart(_ contentType: String?) -> Bool {
        contentType?.lowercased().hasPrefix("multipart/") ?? false
    }

    /// The fields that are files; what else the form has, such as a token of its page, is left out beside them.
    private func files(among fields: [MultipartForm.Field]) throws(ReadError) -> [MultipartForm.Field] {
        // Forms send a file field in which nothing was chosen as an empty file without a name.
        let filled = fields.filter { $0.fileName != "" || !$0.range.isEmpty }
        if let option = filled.first(where: { $0.fileName == nil && ReadQuery.isOption($0.name) }) {
            throw ReadError(
                badRequest: "the field \"\(option.name)\" is an option; send it in the query, as ?\(option.name)=VALUE"
            )
        }
        let files = filled.filter { !self.isText($0) }
        // A text alone is meant to be a picture, and gets the error of one.
        return files.isEmpty ? filled : files
    }

    /// Whether a field has neither a file's name, nor its type, nor bytes that pictures have and texts have not.
    private func isText(_ field: MultipartForm.Field) -> Bool {
        let type = field.contentType ?? ""
        guard field.fileName == nil, !Self.fileTypes.contains(where: { type.hasPrefix($0) }) else { return false }
        return !self.body.bytes[field.range].contains(0)
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
