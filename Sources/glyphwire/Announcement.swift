internal import GlyphwireHTTP
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What `serve` prints once all that it serves is ready: the line that scripts wait for, and one more for the HTTP side.
final class Announcement: Sendable {
    private struct Addresses: Sendable {
        var frames: SocketAddress?
        var http: SocketAddress?
    }

    private let addresses = NIOLockedValueBox(Addresses())
    private let summary: String
    private let http: String?

    /// An announcement that waits for the addresses.
    ///
    /// - Parameters:
    ///   - summary: What the frame port offers.
    ///   - http: How an address of the HTTP side begins; `nil` if there is none.
    init(summary: String, http: String?) {
        self.summary = summary
        self.http = http
    }

    /// Frames are taken at `address`.
    func framesListening(on address: SocketAddress) {
        self.printIfComplete(
            self.addresses.withLockedValue {
                $0.frames = address; return $0
            }
        )
    }

    /// HTTP requests are taken at `address`.
    func httpListening(on address: SocketAddress) {
        self.printIfComplete(
            self.addresses.withLockedValue {
                $0.http = address; return $0
            }
        )
    }

    private func printIfComplete(_ addresses: Addresses) {
        guard let frames = addresses.frames, self.http == nil || addresses.http != nil else { return }
        print("glyphwire \(GlyphwireServer.version) listening on \(frames.hostAndPort) (\(self.summary))")
        if let scheme = self.http, let http = addresses.http {
            print("answering HTTP on \(scheme)://\(http.hostAndPort)/")
        }
        // Standard output may be a pipe, which is not flushed at the end of a line.
        fflush(nil)
    }
}

extension SocketAddress {
    /// As a person writes it in an address.
    fileprivate var hostAndPort: String {
        let host = self.ipAddress ?? "unknown"
        return "\(host.contains(":") ? "[\(host)]" : host):\(self.port ?? 0)"
    }
}
