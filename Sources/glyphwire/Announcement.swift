internal import GlyphwireHTTP
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Announcement of `serve`, printed once all ports listen: a line for scripts, and one for HTTP.
final class Announcement: Sendable {
    private struct Addresses: Sendable {
        var frames: SocketAddress?
        var http: SocketAddress?
    }

    private let addresses = NIOLockedValueBox(Addresses())
    private let summary: String
    private let http: String?
    private let camera: CameraPage?

    /// Creates an announcement that waits for the addresses.
    ///
    /// - Parameters:
    ///   - summary: The configuration of the frame port.
    ///   - http: The URL scheme of the HTTP service; `nil` without one.
    ///   - camera: The page for phones, whose address is printed; `nil` for none.
    init(summary: String, http: String?, camera: CameraPage?) {
        self.summary = summary
        self.http = http
        self.camera = camera
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

    private func printIfComplete(_ addresses: Addresses) {
        guard let frames = addresses.frames, self.http == nil || addresses.http != nil else { return }
        var lines = ["glyphwire \(GlyphwireServer.version) listening on \(frames.hostAndPort) (\(self.summary))"]
        if let scheme = self.http, let http = addresses.http {
            lines.append("answering HTTP on \(scheme)://\(http.hostAndPort)/")
            if let camera = self.camera { lines.append(camera.text(scheme: scheme, listening: http)) }
        }
        do throws(Failure) {
            try StandardOutput.writeLine(lines.joined(separator: "\n"))
        } catch {
            // Clients are served all the same.
            StandardError.write("glyphwire: \(error)\n")
        }
    }
}
