internal import AsyncHTTPClient
internal import FramePipeline
internal import GlyphwireClient
package import GlyphwireProtocol
internal import ImageCodecs
internal import NIOCore
internal import NIOHTTP1
internal import TextModel

/// Source at an HTTP address: motion JPEG, snapshots, or another video, which `ffmpeg` decodes.
///
/// The content type of the answer decides. A picture is requested again after each interval.
package struct HTTPSource: FrameSource {
    private let address: HTTPAddress
    private let interval: Duration
    private let video: FFmpegSource
    private let limits: WireLimits

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - interval: The time between two snapshots.
    ///   - maxRate: Maximum rate of frames of videos; `nil` takes all.
    ///   - limits: The limits on frames.
    package init(_ address: HTTPAddress, interval: Duration, maxRate: FrameRate?, limits: WireLimits) {
        self.address = address
        self.interval = interval
        self.video = FFmpegSource(
            .stream(address.text),
            maxRate: maxRate,
            maxPixels: limits.picture.maxPixels
        )
        self.limits = limits
    }

    package var isLive: Bool { true }

    package var silence: Duration { .seconds(15) + self.interval }

    package func run(into mailbox: FrameMailbox) async throws {
        var requester = HTTPRequester(self.address)
        while true {
            let requested = ContinuousClock.now
            let isSnapshot: Bool
            do {
                isSnapshot = try await self.request(into: mailbox, &requester)
            } catch let error as SourceError {
                throw error
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw SourceError(.unreachable, "the address cannot be read: \(error.requestReason)")
            }
            guard isSnapshot else { return }
            try await Task.sleep(until: requested + self.interval)
        }
    }

    /// Requests the address once.
    ///
    /// - Returns: Whether it answered with one picture.
    private func request(into mailbox: FrameMailbox, _ requester: inout HTTPRequester) async throws -> Bool {
        let response = try await requester.response()
        let type = response.headers.first(name: "Content-Type")?.lowercased() ?? ""
        if type.hasPrefix("multipart/") || type.hasPrefix("video/x-motion-jpeg") {
            try await self.split(response.body, into: mailbox)
            throw SourceError(.ended, "the stream has ended")
        }
        if type.hasPrefix("image/") {
            try await self.snapshot(response.body, into: mailbox)
            return true
        }
        guard ["video/", "audio/", "application/"].contains(where: type.hasPrefix) else {
            throw SourceError(
                .notAPicture,
                "the address has \(type.isEmpty ? "content without a type" : type), not a picture"
            )
        }
        try await self.video.run(into: mailbox)
        throw SourceError(.ended, "the stream has ended")
    }

    private func split(_ body: HTTPClientResponse.Body, into mailbox: FrameMailbox) async throws {
        var splitter = MJPEGSplitter(maxFrameBytes: self.limits.maxMessageBytes - MessageHeader.byteCount)
        for try await chunk in body {
            splitter.append(chunk)
            while let jpeg = splitter.next() {
                mailbox.put(Frame(jpeg: jpeg, capturedMicroseconds: WallClock.microseconds))
            }
        }
    }

    private func snapshot(_ body: HTTPClientResponse.Body, into mailbox: FrameMailbox) async throws {
        let bytes = try await body.collect(upTo: self.limits.maxMessageBytes - MessageHeader.byteCount)
        let captured = WallClock.microseconds
        do throws(PictureError) {
            let file = try PictureFile(bytes: Array(bytes.readableBytesView), path: "the picture")
            let (frame, payload) = try file.frame(limits: self.limits)
            mailbox.put(
                Frame(
                    format: frame.format,
                    payload: ByteBuffer(bytes: payload),
                    width: UInt16(clamping: frame.width),
                    height: UInt16(clamping: frame.height),
                    orientation: frame.orientation,
                    capturedMicroseconds: captured
                )
            )
        } catch {
            throw SourceError(.notAPicture, error.message)
        }
    }
}
