internal import Foundation
package import GlyphwireProtocol
package import HTTPRequests
internal import TextModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Address of a source as a user writes it, which says what kind of source it is.
package enum SourceAddress: Sendable, Equatable {
    /// Motion JPEG, snapshots or a video over HTTP.
    case http(HTTPAddress)
    /// Another network address, such as `rtsp://camera/1`.
    case stream(String)
    /// A video device, such as `/dev/video0`.
    case device(String)
    /// A video file.
    case file(String)

    /// Parses an address; every text is one, but for an address of HTTP that cannot be requested.
    ///
    /// - Throws: ``SourceError``.
    package init(_ text: String) throws(SourceError) {
        let http: HTTPAddress?
        do throws(HTTPRequestError) {
            http = try HTTPAddress(text)
        } catch {
            let address = HTTPAddress.withoutCredentials(text)
            throw SourceError(.unreachable, "\(address) cannot be watched: \(error.message)")
        }
        if let http {
            self = .http(http)
        } else if let path = Self.path(ofFileAt: text) {
            self = .file(path)
        } else if text.contains("://") {
            self = .stream(text)
        } else if Self.isDevice(text) {
            self = .device(text)
        } else {
            self = .file(text)
        }
    }

    /// The path in an address such as `file:///films/a%20b.mp4`; `nil` for any other.
    private static func path(ofFileAt address: String) -> String? {
        guard let scheme = address.firstRange(of: "://"), address[..<scheme.lowerBound].lowercased() == "file" else {
            return nil
        }
        let rest = address[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        let path = String(rest[host.endIndex...])
        guard host.isEmpty || host == "localhost", !path.isEmpty else { return nil }
        return path.removingPercentEncoding ?? path
    }

    /// Whether a path is that of a device, which may be plugged in later; files in memory, in `/dev/shm`, are none.
    private static func isDevice(_ path: String) -> Bool {
        guard path.hasPrefix("/dev/"), !path.hasPrefix("/dev/shm/") else { return false }
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFCHR
    }

    /// Whether it is no file.
    package var isLive: Bool { if case .file = self { false } else { true } }

    /// Whether `ffmpeg` is needed in any case.
    package var needsFFmpeg: Bool { if case .http = self { false } else { true } }

    /// Short name without credentials: host and path of an address, the last part of a path.
    package var name: String {
        let text =
            switch self {
            case .http(let address): address.url
            case .stream(let text), .device(let text), .file(let text): text
            }
        guard let scheme = text.firstRange(of: "://") else { return String(text.split(separator: "/").last ?? "video") }
        var rest = text[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let host = rest.prefix { $0 != "/" }
        if let at = host.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        return String(rest.hasSuffix("/") ? rest.dropLast() : rest)
    }

    /// Creates the source.
    ///
    /// - Parameters:
    ///   - interval: The time between two snapshots.
    ///   - rate: Maximum rate of frames; `nil` takes all.
    ///   - video: The properties of a file.
    ///   - limits: The limits on frames.
    /// - Returns: The source.
    package func source(interval: Duration, rate: FrameRate?, video: VideoProbe?, limits: WireLimits) -> any FrameSource
    {
        let input: VideoInput
        var sampling = PictureSampling(pace: rate)
        switch self {
        case .http(let address): return HTTPSource(address, interval: interval, maxRate: rate, limits: limits)
        case .stream(let url): input = .stream(url)
        case .device(let path): input = .device(path)
        case .file(let path):
            input = .file(path, start: video?.start ?? .zero)
            sampling = video?.sampling(at: rate) ?? .all
        }
        return FFmpegSource(input, sampling: sampling, maxPixels: limits.picture.maxPixels)
    }
}
