internal import ImageCodecs
internal import FoundationEssentials
internal import GlyphwireProtocol
package import TextModel
internal import NIOCore

/// Makes a session of pictures: of files, of a video, or of a motion JPEG stream.
package struct Recorder: Sendable {
    /// How a picture is put into a session.
    package enum Format: String, Sendable, CaseIterable {
        /// A JPEG as it is, any other picture as a JPEG of good quality.
        case jpeg
        /// As BGRA rows in one LZ4 block.
        case lz4
        /// As BGRA rows as they are.
        case bgra
    }

    /// What was recorded.
    package struct Summary: Sendable, Equatable {
        /// Frames in the session.
        package var frames = 0
        /// Bytes of the session.
        package var bytes = 0
        /// Frames of a stream that were broken off or damaged, and left out.
        package var droppedFrames = 0
    }

    /// Quality of the JPEGs that are made here.
    private static let quality = 92
    private static let chunkByteCount = 256 << 10
    /// Has every frame read, also where the session is sent to a server all at once.
    private static let opening = Message(
        header: MessageHeader(type: .configure, payloadByteCount: 0),
        payload: ByteBuffer(string: #"{"delivery":"every"}"#)
    )

    /// How pictures are put into the session.
    package var format: Format
    /// How pictures must be turned; `nil` leaves it to each picture.
    package var orientation: Orientation?
    /// Frames per second; `nil` takes a video's own rate, and for a stream the time of arrival.
    package var framesPerSecond: Double?

    /// A recorder.
    package init(format: Format = .jpeg, orientation: Orientation? = nil, framesPerSecond: Double? = nil) {
        self.format = format
        self.orientation = orientation
        self.framesPerSecond = framesPerSecond
    }

    /// Records pictures and videos from files.
    ///
    /// - Parameters:
    ///   - paths: Paths of pictures, of folders of them in natural order of names, or of one video.
    ///   - output: The session's path.
    ///   - onFrame: Called with the number of frames so far.
    /// - Returns: What was recorded.
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
    /// - Returns: What was recorded.
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
                "\(stream.path) holds no whole JPEG; send a motion JPEG stream, for instance with "
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
            droppedFrames = try self.record(ffmpeg.output, into: &writer, framesPerSecond: rate, onFrame)
        } else {
            try self.record(rawPictures: ffmpeg.output, of: video, into: &writer, framesPerSecond: rate, onFrame)
        }
        try ffmpeg.finish()
        guard writer.frameCount > 0 else { throw ReplayError(.badPicture, "\(video.path) holds no picture") }
        try writer.finish()
        return Summary(frames: writer.frameCount, bytes: writer.byteCount, droppedFrames: droppedFrames)
    }

    /// Writes the JPEGs of a stream.
    ///
    /// - Returns: How many were broken off or damaged, and are left out.
    private func record(
        _ stream: File,
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
        rawPictures stream: File,
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
    /// The pictures at `path`: itself, or what a folder holds.
    private static func pictures(at path: String) throws(ReplayError) -> [String] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ReplayError(.unreadable, "\(path) is not there; give a folder of pictures, or JPEG and PNG files")
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
            throw ReplayError(.badPicture, "the folder \(path) holds no .jpg, .jpeg or .png file")
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

    /// A frame of a JPEG: the file as it is, or what is in it.
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
            // The limits of pictures keep their sides well below 65,536.
            width: UInt16(pixels.width),
            height: UInt16(pixels.height),
            payloadByteCount: payload.count
        )
        return Message(header: header, payload: ByteBuffer(bytes: payload))
    }

    /// The capture time of a frame of a steady stream, numbered from 1; without a rate it is now.
    ///
    /// It is never 0, which says that it is not known.
    private static func time(ofFrame sequence: UInt64, framesPerSecond: Double?) -> UInt64 {
        framesPerSecond.map { UInt64((Double(sequence) * 1e6 / $0).rounded()) } ?? Self.now()
    }

    static func now() -> UInt64 {
        UInt64(max(Date().timeIntervalSince1970, 0) * 1e6)
    }
}
