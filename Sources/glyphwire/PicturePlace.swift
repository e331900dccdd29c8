internal import VideoSources

/// Place of a picture.
enum PicturePlace: Sendable {
    /// A file; `-` is standard input.
    case file(String)
    /// An address of HTTP.
    case web(HTTPAddress)

    /// The place that an argument names.
    init(_ argument: String) {
        self = HTTPAddress(argument).map { .web($0) } ?? .file(argument)
    }

    /// Name in documents and errors, without a password.
    var name: String {
        switch self {
        case .file(let path): path
        case .web(let address): address.url
        }
    }
}
