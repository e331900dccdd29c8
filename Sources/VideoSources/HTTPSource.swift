internal import AsyncHTTPClient
internal import FramePipeline
internal import GlyphwireClient
package import GlyphwireProtocol
package import HTTPRequests
internal import ImageCodecs
internal import NIOCore
internal import NIOHTTP1
internal import SystemSupport
internal import TextModel

/// Source at an HTTP address: motion JPEG, snapshots, or another video, which `ffmpeg` decodes.
///
/// The content type of the answer decides. A picture is requested again after each interval, also if it is damaged.
package struct HTTPSource: FrameSource {
    /// Number of bytes by which a picture is recognized: the format in which most are needed is WebP.
    private static let signatureByteCount = 12
    /// Number of bytes at the start of a multipart stream in which the headers of its first part end.
    private static let maxPartStart = PartHeaders.maxByteCount + Self.signatureByteCount
    /// Maximum number of JPEGs in one file: of telephones the picture, a preview and a gain map.
    private static let maxPicturesOfFile = 3
    /// Beginnings of the content types of motion JPEG; the last three are in use beside the registered ones.
    private static let motionTypes = [
        "multipart/", "video/x-motion-jpeg", "video/x-mjpeg", "video/mjpeg", "video/x-jpeg",
    ]
    /// Content types that say nothing of the content.
    private static let vagueTypes = ["", "application/octet-stream", "binary/octet-stream"]
    private static let ended = SourceError(.ended, "the stream has ended")

    private let address: HTTPAddress
    private let interval: Duration
    private let rate: FrameRate?
    private let video: FFmpegSource
    private let limits: WireLimits
    /// Maximum time from a request to the head of the answer.
    var headTime = HTTPRequester.headTime

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
            sampling: PictureSampling(pace: maxRate),
            maxPixels: limits.picture.maxPixels
        )
        self.limits = limits
    }

    package var isLive: Bool { true }

    package var silence: Duration { Self.tolerance + self.interval }

    package func run(into mailbox: FrameMailbox) async throws {
        var requester = HTTPRequester(self.address, headTime: self.headTime)
        var isSnapshot = false
        while true {
            let requested = ContinuousClock.now
            do {
                isSnapshot = try await self.request(into: mailbox, &requester, isRepeated: isSnapshot)
            } catch let error as SourceError where error.code == .badPicture {
                mailbox.rejectPicture(for: error.message)
                isSnapshot = true
            } catch let error as SourceError {
                throw error
            } catch is CancellationError {
                throw CancellationError()
            } catch let error as HTTPRequestError {
                throw SourceError(.unreachable, error.message)
            } catch {
                throw SourceError(.unreachable, "the address cannot be read: \(error.requestReason)")
            }
            guard isSnapshot else { return }
            try await Task.sleep(until: requested + self.interval)
        }
    }

    /// Requests the address once.
    ///
    /// - Parameters:
    ///   - mailbox: Takes the frames.
    ///   - requester: Makes the request.
    ///   - isRepeated: Whether there was a picture the last time.
    /// - Returns: Whether it is to be requested again for the next picture.
    /// - Throws: ``SourceError``, or an error of the connection.
    private func request(
        into mailbox: FrameMailbox,
        _ requester: inout HTTPRequester,
        isRepeated: Bool
    ) async throws -> Bool {
        let response = try await requester.response()
        let type = response.headers.first(name: "Content-Type")?.lowercased() ?? ""
        if Self.motionTypes.contains(where: type.hasPrefix) {
            try await self.receiveMotionJPEG(response.body, into: mailbox)
            throw Self.ended
        }
        if type.hasPrefix("image/") {
            if response.headers.contains(name: "Content-Length") {
                try await self.receivePicture(response.body, into: mailbox)
            } else {
                try await self.receivePictures(response.body, into: mailbox)
            }
            return true
        }
        if !type.hasPrefix("video/"), try await self.receiveUndeclared(response, into: mailbox) { return true }
        if isRepeated, Self.vagueTypes.contains(type) {
            throw SourceError(.badPicture, "what came in place of a picture is not known")
        }
        guard ["video/", "audio/", "application/"].contains(where: type.hasPrefix) else {
            throw SourceError(
                .notAPicture,
                "the address has \(type.isEmpty ? "content without a type" : type), not a picture"
            )
        }
        try await self.video.run(into: mailbox)
        throw Self.ended
    }

    private func motionJPEG(into mailbox: FrameMailbox) -> MotionJPEG {
        MotionJPEG(maxFrameBytes: self.limits.maxPayloadBytes, maxRate: self.rate, mailbox: mailbox)
    }

    /// Receives motion JPEG.
    ///
    /// - Throws: ``SourceError`` for a stream of other pictures, or an error of the connection.
    private func receiveMotionJPEG(_ body: HTTPClientResponse.Body, into mailbox: FrameMailbox) async throws {
        var stream = self.motionJPEG(into: mailbox)
        var start: [UInt8] = []
        for try await chunk in body {
            stream.receive(chunk)
            guard stream.isEmpty, start.count < Self.maxPartStart else { continue }
            start += chunk.readableBytesView.prefix(Self.maxPartStart - start.count)
            if Self.isOtherPicture(inPartAt: start) {
                throw SourceError(.notAPicture, "the stream is not of JPEGs, as it must be, but of other pictures")
            }
        }
        stream.finish()
    }

    /// Whether the part of a stream that begins with `start` has a picture that is no JPEG, whatever its headers say.
    private static func isOtherPicture(inPartAt start: [UInt8]) -> Bool {
        guard let headers = start.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
        let picture = ByteBuffer(bytes: start[headers.upperBound...])
        guard picture.readableBytes >= Self.signatureByteCount, let format = Self.format(of: picture) else {
            return false
        }
        return format != .jpeg
    }

    /// Receives a snapshot of unknown length, or a stream of JPEGs under its type.
    ///
    /// - Throws: ``SourceError`` for one that cannot be used or the end of a stream, or an error of the connection.
    private func receivePictures(_ body: HTTPClientResponse.Body, into mailbox: FrameMailbox) async throws {
        var picture = ByteBuffer()
        var splitter = MJPEGSplitter(maxFrameBytes: self.limits.maxPayloadBytes)
        var count = 0
        var stream: MotionJPEG?
        for try await chunk in body {
            guard stream == nil else {
                stream?.receive(chunk)
                continue
            }
            try self.append(chunk, to: &picture)
            splitter.append(chunk)
            while splitter.next() != nil { count += 1 }
            guard count > Self.maxPicturesOfFile else { continue }
            stream = self.motionJPEG(into: mailbox)
            stream?.receive(picture)
        }
        guard stream == nil else {
            stream?.finish()
            throw Self.ended
        }
        try self.put(picture, into: mailbox)
    }

    /// Receives a snapshot.
    ///
    /// - Throws: ``SourceError`` for one that cannot be used, or an error of the connection.
    private func receivePicture(_ body: HTTPClientResponse.Body, into mailbox: FrameMailbox) async throws {
        var picture = ByteBuffer()
        for try await chunk in body { try self.append(chunk, to: &picture) }
        try self.put(picture, into: mailbox)
    }

    /// Receives pictures that have no type, or that of any bytes: their first bytes decide.
    ///
    /// A JPEG of unknown length may be the first of a stream.
    ///
    /// - Returns: Whether there were any.
    /// - Throws: ``SourceError`` for a picture that cannot be used, or an error of the connection.
    private func receiveUndeclared(_ response: HTTPClientResponse, into mailbox: FrameMailbox) async throws -> Bool {
        let hasLength = response.headers.contains(name: "Content-Length")
        var bytes = ByteBuffer()
        var format: PictureFile.Format?
        var stream: MotionJPEG?
        for try await chunk in response.body {
            guard stream == nil else {
                stream?.receive(chunk)
                continue
            }
            try self.append(chunk, to: &bytes)
            guard format == nil, bytes.readableBytes >= Self.signatureByteCount else { continue }
            format = Self.format(of: bytes)
            guard let format else { return false }
            guard format == .jpeg, !hasLength else { continue }
            stream = self.motionJPEG(into: mailbox)
            stream?.receive(bytes)
        }
        if stream == nil, format != nil { try self.put(bytes, into: mailbox) }
        stream?.finish()
        if stream?.isEmpty ?? false { throw Self.ended }
        return format != nil
    }

    private func append(_ chunk: ByteBuffer, to picture: inout ByteBuffer) throws(SourceError) {
        guard picture.readableBytes + chunk.readableBytes <= self.limits.maxPayloadBytes else {
            throw SourceError(.badPicture, "the picture has more than \(self.limits.maxPayloadBytes) bytes")
        }
        picture.writeImmutableBuffer(chunk)
    }

    private static func format(of bytes: ByteBuffer) -> PictureFile.Format? {
        let signature = Array(bytes.readableBytesView.prefix(Self.signatureByteCount))
        return (try? PictureFile(bytes: signature, path: ""))?.format
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
            throw SourceError(.badPicture, error.message)
        }
    }
}
