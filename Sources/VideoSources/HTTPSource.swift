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
    /// Maximum time for the bytes of a snapshot, as for a message to a server: it may come over a slow network.
    private static let pictureTime = Duration.seconds(60)
    /// Number of bytes by which a picture is recognized: the format in which most are needed is WebP.
    private static let signatureByteCount = 12

    private let address: HTTPAddress
    private let interval: Duration
    private let rate: FrameRate?
    private let video: FFmpegSource
    private let limits: WireLimits

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - interval: The time between two snapshots.
    ///   - maxRate: Maximum rate of frames; `nil` takes all.
    ///   - limits: The limits on frames.
    package init(_ address: HTTPAddress, interval: Duration, maxRate: FrameRate?, limits: WireLimits) {
        self.address = address
        self.interval = max(interval, maxRate?.frameDuration ?? .zero)
        self.rate = maxRate
        self.video = FFmpegSource(
            .stream(address.text),
            maxRate: maxRate,
            maxPixels: limits.picture.maxPixels
        )
        self.limits = limits
    }

    package var isLive: Bool { true }

    package var silence: Duration { Self.tolerance + self.interval }

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
        let isDeclared = type.hasPrefix("image/")
        if !type.hasPrefix("video/"), let picture = try await self.picture(in: response.body, isDeclared: isDeclared) {
            try self.put(picture, into: mailbox)
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

    private var maxPayloadBytes: Int { self.limits.maxMessageBytes - MessageHeader.byteCount }

    private func split(_ body: HTTPClientResponse.Body, into mailbox: FrameMailbox) async throws {
        var splitter = MJPEGSplitter(maxFrameBytes: self.maxPayloadBytes)
        var pace = self.rate.map { FramePace($0) }
        for try await chunk in body {
            splitter.append(chunk)
            Self.putFrames(of: &splitter, at: &pace, into: mailbox)
        }
        splitter.finish()
        Self.putFrames(of: &splitter, at: &pace, into: mailbox)
    }

    private static func putFrames(
        of splitter: inout MJPEGSplitter,
        at pace: inout FramePace?,
        into mailbox: FrameMailbox
    ) {
        let dropped = splitter.droppedFrames
        while let jpeg = splitter.next() {
            if pace?.takesFrame(at: .now) ?? true {
                mailbox.put(Frame(jpeg: jpeg, capturedMicroseconds: WallClock.microseconds))
            } else {
                mailbox.skip()
            }
        }
        mailbox.reject(splitter.droppedFrames - dropped)
    }

    /// Receives a snapshot.
    ///
    /// Some cameras send pictures without a type, or with that of any bytes; their first bytes decide then.
    ///
    /// - Parameters:
    ///   - body: The content of an answer.
    ///   - isDeclared: Whether its type is that of a picture.
    /// - Returns: The picture; `nil` if it is none.
    /// - Throws: ``SourceError`` for one that is too large or takes too long, or an error of the connection.
    private func picture(in body: HTTPClientResponse.Body, isDeclared: Bool) async throws -> ByteBuffer? {
        try await withTimeLimit(Self.pictureTime) { () async throws -> ByteBuffer? in
            var bytes = ByteBuffer()
            var isPicture = isDeclared
            for try await chunk in body {
                guard bytes.readableBytes + chunk.readableBytes <= self.maxPayloadBytes else {
                    throw SourceError(.notAPicture, "the picture has more than \(self.maxPayloadBytes) bytes")
                }
                bytes.writeImmutableBuffer(chunk)
                guard !isPicture, bytes.readableBytes >= Self.signatureByteCount else { continue }
                isPicture = Self.beginsPicture(bytes)
                if !isPicture { return nil }
            }
            return isPicture ? bytes : nil
        }
    }

    private static func beginsPicture(_ bytes: ByteBuffer) -> Bool {
        let signature = Array(bytes.readableBytesView.prefix(Self.signatureByteCount))
        return (try? PictureFile(bytes: signature, path: "")) != nil
    }

    private func put(_ picture: ByteBuffer, into mailbox: FrameMailbox) throws(SourceError) {
        let captured = WallClock.microseconds
        do throws(PictureError) {
            let file = try PictureFile(bytes: Array(picture.readableBytesView), path: "the picture")
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
