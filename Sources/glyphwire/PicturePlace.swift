internal import HTTPRequests

/// Place of a picture.
enum PicturePlace: Sendable {
    /// A file; `-` is standard input.
    case file(String)
    /// An address of HTTP.
    case web(HTTPAddress)
    /// An address of HTTP that cannot be requested, with the reason.
    case wrongAddress(String, HTTPRequestError)

    /// The place that an argument names.
    init(_ argument: String) {
        do throws(HTTPRequestError) {
            let address = try HTTPAddress(argument)
            self = address.map { .web($0) } ?? .file(argument)
        } catch {
            self = .wrongAddress(argument, error)
        }
    }

    /// Name in documents and errors, without a password.
    var name: String {
        switch self {
        case .file(let path): path
        case .web(let address): address.url
        case .wrongAddress(let text, _): HTTPAddress.withoutCredentials(text)
        }
    }
}
