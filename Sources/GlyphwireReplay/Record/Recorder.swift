internal import ImageCodecs
internal import GlyphwireProtocol
package import TextModel
internal import NIOCore
internal import NIOPosix
internal import SystemSupport
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

    /// Format of pictures in the session.
    package var format: Format
    /// Orientation of the pictures; `nil` takes each picture's own.
    package var orientation: Orientation?
    /// Frames per second, of a video at most; `nil` takes all of a video, and for a stream the time of arrival.
    package var framesPerSecond: Double?

    /// Creates a recorder.
    package init(format: Format = .jpeg, orientation: Orientation? = nil, framesPerSecond: Double? = nil) {
        self.format = format
        self.orientation = orientation
        self.framesPerSecond = framesPerSecond
    }

    /// Records pictures and videos from files, or a video from an address.
    ///
    /// - Parameters:
    ///   - paths: Paths of pictures, of folders, whose pictures are in natural order, or of one video.
    ///   - output: The session's path; a session that is there is replaced once this one is whole.
    ///   - stop: Ends the session with the frames up to then.
    ///   - onFrame: Called with the number of frames so far.
    /// - Returns: A summary of the recording.
    /// - Throws: ``ReplayError``.
    package func record(
        pictures paths: [String],
        to output: String,
        until stop: StopSignal = StopSignal(),
        onFrame: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Summary {
        try await NIOThreadPool.singleton.runIfActive {
            if let video = paths.first, paths.count == 1, VideoSource.isVideo(video) {
                return try self.record(VideoSource(video), to: output, until: stop, onFrame: onFrame)
            }
            return try self.record(files: PictureFiles.paths(at: paths), to: output, until: stop, onFrame: onFrame)
        }
    }

    /// Records a motion JPEG stream from standard input, until it ends.
    ///
    /// - Parameters:
    ///   - output: The session's path; a session that is there is replaced at the end.
    ///   - stop: Ends the session with the frames up to then.
    ///   - onFrame: Called with the number of frames so far.
    /// - Returns: A summary of the recording.
    /// - Throws: ``ReplayError``.
    package func recordStandardInput(
        to output: String,
        until stop: StopSignal = StopSignal(),
        onFrame: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Summary {
        try await NIOThreadPool.singleton.runIfActive {
            try self.record(stream: .standardInput, to: output, until: stop, onFrame: onFrame)
        }
    }

    func record(
        stream: File,
        to output: String,
        until stop: StopSignal = StopSignal(),
        onFrame: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(ReplayError) -> Summary {
        let input = StoppableFile(file: stream, stop: stop)
        var recording = try SessionRecording(
            to: output,
            apartFrom: [stream === File.standardInput ? "/dev/stdin" : stream.path],
            until: stop,
            onFrame: onFrame
        )
        let droppedFrames: Int
        do throws(ReplayError) {
            droppedFrames = try self.record(input, into: &recording)
        } catch {
            recording.keep()
            throw error
        }
        return try recording.finish(
            droppedFrames: droppedFrames,
            emptyFor: "\(stream.path) has no whole JPEG; send a motion JPEG stream, for instance with "
                + "ffmpeg -i INPUT -f mjpeg -q:v 3 -"
        )
    }
}

// MARK: Videos and streams

extension Recorder {
    private func record(
        _ video: VideoSource,
        to output: String,
        until stop: StopSignal,
        onFrame: @escaping @Sendable (Int) -> Void
    ) throws(ReplayError) -> Summary {
        var pictures = try video.pictures(framesPerSecond: self.framesPerSecond, until: stop)
        pictures.end(at: stop)
        var recording = try SessionRecording(to: output, apartFrom: [video.path], until: stop, onFrame: onFrame)
        do throws(ReplayError) {
            while let (pixels, captured) = try pictures.next() {
                let sequence = recording.nextSequence
                try recording.add(try self.frame(pixels, of: video, sequence: sequence, captured: captured))
            }
            // A program that was stopped has not failed.
            if !stop.isStopped { try pictures.finish() }
        } catch {
            if video.isLive { recording.keep() }
            throw error
        }
        return try recording.finish(emptyFor: "\(video.path) holds no picture")
    }

    /// Creates a frame from a picture of a video.
    private func frame(
        _ pixels: PixelBuffer,
        of video: VideoSource,
        sequence: UInt64,
        captured: UInt64
    ) throws(ReplayError) -> Message {
        do throws(PictureError) {
            let picture = Picture(pixels: pixels)
            return try self.frame(picture, path: video.path, sequence: sequence, captured: captured)
        } catch {
            throw ReplayError(.badPicture, error.message)
        }
    }

    /// Writes the JPEG files of a stream.
    ///
    /// - Returns: The number of incomplete or damaged files, which are dropped.
    private func record(
        _ stream: StoppableFile,
        into recording: inout SessionRecording
    ) throws(ReplayError) -> Int {
        var splitter = MJPEGSplitter(maxFrameBytes: WireLimits().maxPayloadBytes)
        var undecodable = 0
        while true {
            let chunk = try stream.bytes(atMost: Self.chunkByteCount)
            if chunk.readableBytes > 0 { splitter.append(chunk) } else { splitter.finish() }
            while let jpeg = splitter.next() {
                let sequence = recording.nextSequence
                let captured = Self.time(ofFrame: sequence, framesPerSecond: self.framesPerSecond)
                guard
                    let frame = try? self.frame(jpeg, path: stream.file.path, sequence: sequence, captured: captured)
                else {
                    undecodable += 1
                    continue
                }
                try recording.add(frame)
            }
            if chunk.readableBytes == 0 { return splitter.droppedFrames + undecodable }
        }
    }
}

// MARK: Pictures

extension Recorder {
    private func record(
        files: [String],
        to output: String,
        until stop: StopSignal,
        onFrame: @escaping @Sendable (Int) -> Void
    ) throws(ReplayError) -> Summary {
        var recording = try SessionRecording(to: output, apartFrom: files, until: stop, onFrame: onFrame)
        for path in files where !recording.isStopped {
            let sequence = recording.nextSequence
            let captured = Self.time(ofFrame: sequence, framesPerSecond: self.framesPerSecond ?? 10)
            try recording.add(try self.frame(path: path, sequence: sequence, captured: captured))
        }
        return try recording.finish(emptyFor: "there is no picture to record")
    }

    private func frame(path: String, sequence: UInt64, captured: UInt64) throws(ReplayError) -> Message {
        do throws(PictureError) {
            let file = try PictureFile(path: path)
            guard file.format == .jpeg else {
                return try self.frame(try file.picture(), path: path, sequence: sequence, captured: captured)
            }
            return try self.frame(ByteBuffer(bytes: file.bytes), path: path, sequence: sequence, captured: captured)
        } catch {
            guard !PictureFile.isMisnamed(path: path) else {
                throw ReplayError(.unreadable, "\(path) has a name that is not UTF-8; rename it")
            }
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
