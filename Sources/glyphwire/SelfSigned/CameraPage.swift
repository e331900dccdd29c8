internal import Foundation
internal import GlyphwireProtocol
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Page that makes a phone a camera, as its address is printed.
struct CameraPage: Sendable {
    /// Characters that stand for themselves in an address and in a form's fields (RFC 3986, unreserved).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Token of the server; `nil` without one, or if there are several to choose from.
    let token: String?

    /// Text for standard output: where a phone finds the page, and on a terminal its QR code.
    ///
    /// Only a terminal gets the token, since other output may be kept in a log. It stands behind `#`, which the phone does not
    /// send, so that no log of a proxy has it either.
    func text(scheme: String, listening: SocketAddress) -> String {
        var address = listening.hostAndPort
        // A phone does not reach "all addresses".
        if ["0.0.0.0", "::"].contains(listening.ipAddress), let reachable = try? HostNames().reachable {
            address = "\(reachable):\(listening.port ?? 0)"
        }
        let url = "\(scheme)://\(address)/camera"
        guard isatty(STDOUT_FILENO) == 1 else { return "cameras of phones: \(url)" }
        let complete = url + self.fragment
        let code = QRCode(complete) ?? QRCode(url)
        return (["cameras of phones: \(complete)"] + (code?.terminalLines ?? [])).joined(separator: "\n")
    }

    private var fragment: String {
        guard let text = self.token?.addingPercentEncoding(withAllowedCharacters: Self.unreserved) else { return "" }
        return "#token=\(text)"
    }
}
