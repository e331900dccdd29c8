internal import GlyphwireHTTP
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Announcement of `serve`, printed once all ports listen: a line for scripts, and one for HTTP.
final class Announcement: Sendable {
    private struct Addresses: Sendable {
        var frames: SocketAddress?
        var http: SocketAddress?
    }

    private let addresses = NIOLockedValueBox(Addresses())
    private let summary: String
    private let http: String?
    private let showsCamera: Bool

    /// Creates an announcement that waits for the addresses.
    ///
    /// - Parameters:
    ///   - summary: The configuration of the frame port.
    ///   - http: The URL scheme of the HTTP service; `nil` without one.
    ///   - showsCamera: Whether the address of the page for phones is printed, and on a terminal its QR code.
    init(summary: String, http: String?, showsCamera: Bool) {
        self.summary = summary
        self.http = http
        self.showsCamera = showsCamera
    }

    /// Records the address of the frame port.
    func framesListening(on address: SocketAddress) {
        self.printIfComplete(
            self.addresses.withLockedValue {
                $0.frames = address; return $0
            }
        )
    }

    /// Records the address of the HTTP service.
    func httpListening(on address: SocketAddress) {
        self.printIfComplete(
            self.addresses.withLockedValue {
                $0.http = address; return $0
            }
        )
    }

    /// Prints where a phone finds the page of its camera.
    private static func printCamera(scheme: String, at listening: SocketAddress) {
        var address = listening.hostAndPort
        // A phone does not reach "all addresses".
        if ["0.0.0.0", "::"].contains(listening.ipAddress), let reachable = try? HostNames().reachable {
            address = "\(reachable):\(listening.port ?? 0)"
        }
        let url = "\(scheme)://\(address)/camera"
        print("cameras of phones: \(url)")
        if isatty(STDOUT_FILENO) == 1, let code = QRCode(url) { print(code.terminalText, terminator: "") }
    }

    private func printIfComplete(_ addresses: Addresses) {
        guard let frames = addresses.frames, self.http == nil || addresses.http != nil else { return }
        print("glyphwire \(GlyphwireServer.version) listening on \(frames.hostAndPort) (\(self.summary))")
        if let scheme = self.http, let http = addresses.http {
            print("answering HTTP on \(scheme)://\(http.hostAndPort)/")
            if self.showsCamera { Self.printCamera(scheme: scheme, at: http) }
        }
        // Standard output may be a pipe, which is not flushed at the end of a line.
        fflush(nil)
    }
}

extension SocketAddress {
    /// Host and port as in a URL.
    fileprivate var hostAndPort: String {
        let host = self.ipAddress ?? "unknown"
        return "\(host.contains(":") ? "[\(host)]" : host):\(self.port ?? 0)"
    }
}
