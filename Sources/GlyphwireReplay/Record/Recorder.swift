internal import ImageCodecs
internal import FoundationEssentials
internal import GlyphwireProtocol
package import TextModel
internal import NIOCore
internal import VideoSources

/// Recorder of sessions from picture files, a video, or a motion JPEG stream.
package struct Recorder: Sendable {
    /// Format of pictures in a session.
    package enum Format: String, Sendable, CaseIterable {
        /// JPEG files unchanged, other pictures as JPEG of high quality.
        case jpeg
        /// BGRA rows in one LZ4 block.
        case lz4
        /// Uncompressed BGRA rows.
        case bgra
    }

    /// Summary of a recording.
    package struct Summary: Sendable, Equatable {
        /// Number of frames in the session.
        package var frames = 0
        /// Size of the session in bytes.
        package var bytes = 0
        /// Number of incomplete or damaged frames of a stream, which were dropped.
        package var droppedFrames = 0
    }

    /// Quality of encoded JPEG files.
    private static let quality = 92
    private static let chunkByteCount = 256 << 10
    /// First message, which has every frame read, even if the session is sent all at once.
    private static let opening = Message(
        header: MessageHeader(type: .configure, payloadByteCount: 0),
        payload: ByteBuffer(string: #"{"delivery":"every"}"#)
    )

    /// Format of pictures in the session.
    package var format: Format
    /// Orientation of the pictures; `nil` takes each picture's own.
    package var orientation: Orientation?
    /// Frames per second; `nil` takes a video's own rate, and for a stream the time of arrival.
    package var framesPerSecond: Double?

    /// Creates a recorder.
    package init(format: Format = .jpeg, orientation: Orientation? = nil, framesPerSecond: Double? = nil) {
        self.format = format
        self.orientation = orientation
        self.framesPerSecond = framesPerSecond
    }

    /// Records pictures and videos from files.
    ///
    /// - Parameters:
    ///   - paths: Paths of pictures, of folders, whose pictures are in natural order, or of one video.
    ///   - output: The session's path.
    ///   - onFrame: Called with the number of frames so far.
    /// - Returns: A summary of the recording.
    /// - Throws: ``ReplayError``.
    package func record(
        pictures paths: [String],
        to output: String,
        onFrame: (Int) -> Void = { _ in }
    ) throws(ReplayError) -> Summary {
        if let video = paths.first, paths.count == 1, VideoSource.isVideo(video) {
            return try self.record(VideoSource(path: video), to: output, onFrame: onFrame)
        }
        var files: [String] = []
        for path in paths { files += try Self.pictures(at: path) }
        var writer = try SessionWriter(path: output)
        try writer.write(Self.opening)
        for (index, path) in files.enumerated() {
            let sequence = UInt64(index + 1)
            let captured = Self.time(ofFrame: sequence, framesPerSecond: self.framesPerSecond ?? 10)
            try writer.write(try self.frame(path: path, sequence: sequence, captured: captured))
            onFrame(writer.frameCount)
        }
        try writer.finish()
        return Summary(frames: writer.frameCount, bytes: writer.byteCount)
    }

    /// Records a motion JPEG stream from standard input, until it ends.
    ///
    /// - Parameters:
    ///   - output: The session's path.
    ///   - onFrame: Called with the number of frames so far.
    /// - Returns: A summary of the recording.
    /// - Throws: ``ReplayError``.
    package func recordStandardInput(
        to output: String,
        onFrame: (Int) -> Void = { _ in }
    ) throws(ReplayError) -> Summary {
        try self.record(stream: .standardInput, to: output, onFrame: onFrame)
    }

    func record(stream: File, to output: String, onFrame: (Int) -> Void) throws(ReplayError) -> Summary {
        var writer = try SessionWriter(path: output)
        try writer.write(Self.opening)
        let droppedFrames = try self.record(stream, into: &writer, framesPerSecond: self.framesPerSecond, onFrame)
        guard writer.frameCount > 0 else {
            throw ReplayError(
                .badPicture,
                "\(stream.path) has no whole JPEG; send a motion JPEG stream, for instance with "
                    + "ffmpeg -i INPUT -f mjpeg -q:v 3 -"
            )
        }
        try writer.finish()
        return Summary(frames: writer.frameCount, bytes: writer.byteCount, droppedFrames: droppedFrames)
    }
}

// MARK: Videos and streams

extension Recorder {
    private func record(
        _ video: VideoSource,
        to output: String,
        onFrame: (Int) -> Void
    ) throws(ReplayError) -> Summary {
        var rate = video.isLive ? nil : self.framesPerSecond
        if rate == nil, !video.isLive { rate = try video.frameRate() }
        let ffmpeg = try video.open(framesPerSecond: rate ?? self.framesPerSecond, isRaw: self.format != .jpeg)
        var writer = try SessionWriter(path: output)
        try writer.write(Self.opening)
        var droppedFrames = 0
        if self.format == .jpeg {
            droppedFrames = try self.record(ffmpeg, into: &writer, framesPerSecond: rate, onFrame)
        } else {
            try self.record(rawPictures: ffmpeg, of: video, into: &writer, framesPerSecond: rate, onFrame)
        }
        try ffmpeg.finish()
        guard writer.frameCount > 0 else { throw ReplayError(.badPicture, "\(video.path) holds no picture") }
        try writer.finish()
        return Summary(frames: writer.frameCount, bytes: writer.byteCount, droppedFrames: droppedFrames)
    }

    /// Writes the JPEG files of a stream.
    ///
    /// - Returns: The number of incomplete or damaged files, which are dropped.
    private func record(
        _ stream: some ByteStream,
        into writer: inout SessionWriter,
        framesPerSecond: Double?,
        _ onFrame: (Int) -> Void
    ) throws(ReplayError) -> Int {
        var splitter = MJPEGSplitter(maxFrameBytes: WireLimits().maxMessageBytes - MessageHeader.byteCount)
        var undecodable = 0
        while true {
            let chunk = try stream.bytes(atMost: Self.chunkByteCount)
            if chunk.readableBytes > 0 { splitter.append(chunk) } else { splitter.finish() }
            while let jpeg = splitter.next() {
                let sequence = UInt64(writer.frameCount + 1)
                let captured = Self.time(ofFrame: sequence, framesPerSecond: framesPerSecond)
                guard
                    let frame = try? self.frame(jpeg, path: stream.path, sequence: sequence, captured: captured)
                else {
                    undecodable += 1
                    continue
                }
                try writer.write(frame)
                onFrame(writer.frameCount)
            }
            if chunk.readableBytes == 0 { return splitter.droppedFrames + undecodable }
        }
    }

    /// Writes the PPM pictures of a stream.
    private func record(
        rawPictures stream: some ByteStream,
        of video: VideoSource,
        into writer: inout SessionWriter,
        framesPerSecond: Double?,
        _ onFrame: (Int) -> Void
    ) throws(ReplayError) {
        var splitter = PPMSplitter(maxPixels: PictureLimits().maxPixels)
        while true {
            let chunk = try stream.bytes(atMost: Self.chunkByteCount)
            if chunk.readableBytes == 0 { return }
            splitter.append(chunk)
            while let pixels = try splitter.next() {
                let sequence = UInt64(writer.frameCount + 1)
                let captured = Self.time(ofFrame: sequence, framesPerSecond: framesPerSecond)
                let frame: Message
                do throws(PictureError) {
                    let picture = Picture(pixels: pixels)
                    frame = try self.frame(picture, path: video.path, sequence: sequence, captured: captured)
                } catch {
                    throw ReplayError(.badPicture, error.message)
                }
                try writer.write(frame)
                onFrame(writer.frameCount)
            }
        }
    }
}

// MARK: Pictures

extension Recorder {
    /// Pictures at `path`: itself, or the content of a folder.
    private static func pictures(at path: String) throws(ReplayError) -> [String] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ReplayError(.unreadable, "\(path) does not exist; give a folder of pictures, or JPEG and PNG files")
        }
        guard isFolder else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw ReplayError(.unreadable, "the folder \(path) cannot be read: \(error)")
        }
        let pictures = names.filter { name in
            let end = name.lowercased()
            return !name.hasPrefix(".") && [".jpg", ".jpeg", ".png"].contains { end.hasSuffix($0) }
        }
        guard !pictures.isEmpty else {
            throw ReplayError(.badPicture, "the folder \(path) has no .jpg, .jpeg or .png file")
        }
        return pictures.sorted(by: NaturalOrder.precedes).map { "\(path)/\($0)" }
    }

    private func frame(path: String, sequence: UInt64, captured: UInt64) throws(ReplayError) -> Message {
        do throws(PictureError) {
            let file = try PictureFile(path: path)
            guard file.format == .png else {
                return try self.frame(ByteBuffer(bytes: file.bytes), path: path, sequence: sequence, captured: captured)
            }
            return try self.frame(try file.picture(), path: path, sequence: sequence, captured: captured)
        } catch {
            throw ReplayError(.badPicture, error.message)
        }
    }

    /// Creates a frame from a JPEG: the file unchanged, or its pixels.
    private func frame(
        _ jpeg: ByteBuffer,
        path: String,
        sequence: UInt64,
        captured: UInt64
    ) throws(PictureError) -> Message {
        guard self.format == .jpeg else {
            let file = try PictureFile(bytes: Array(jpeg.readableBytesView), path: path)
            return try self.frame(try file.picture(), path: path, sequence: sequence, captured: captured)
        }
        return .frame(
            jpeg: jpeg,
            orientation: self.orientation,
            sequence: sequence,
            capturedMicroseconds: captured
        )
    }

    private func frame(
        _ picture: Picture,
        path: String,
        sequence: UInt64,
        captured: UInt64
    ) throws(PictureError) -> Message {
        let orientation = self.orientation ?? picture.orientation
        if self.format == .jpeg {
            let encoder = JPEGEncoder(quality: Self.quality)
            let jpeg = try picture.pixels.withPixels { (view) throws(PictureError) in try encoder.encode(view) }
            return .frame(
                jpeg: ByteBuffer(bytes: jpeg),
                orientation: orientation,
                sequence: sequence,
                capturedMicroseconds: captured
            )
        }
        let pixels = picture.pixels.withPixels { PixelBuffer(copyingInColour: $0) }
        let payload = self.format == .lz4 ? try LZ4Encoder.block(of: pixels) : pixels.bytes
        let header = MessageHeader(
            type: .frame,
            format: self.format == .lz4 ? .bgraLZ4Block : .bgra,
            orientation: orientation.rawValue,
            sequence: sequence,
            capturedMicroseconds: captured,
            // The limits on pictures keep their sides well below 65,536.
            width: UInt16(pixels.width),
            height: UInt16(pixels.height),
            payloadByteCount: payload.count
        )
        return Message(header: header, payload: ByteBuffer(bytes: payload))
    }

    /// Capture time of a frame, numbered from 1, at a constant rate; without a rate, the current time.
    ///
    /// It is never 0, which means unknown.
    private static func time(ofFrame sequence: UInt64, framesPerSecond: Double?) -> UInt64 {
        framesPerSecond.map { UInt64((Double(sequence) * 1e6 / $0).rounded()) } ?? WallClock.microseconds
    }
}
