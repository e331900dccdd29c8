internal import GlyphwireProtocol
internal import ImageCodecs
internal import NIOCore
internal import SystemSupport
internal import TextModel
internal import VideoSources

/// Video that is decoded by `ffmpeg`: a file, or an address such as `rtsp://camera/1`.
struct VideoSource {
    /// Path of the file, or the address.
    let path: String
    /// Whether it is a live source, whose frame times are the times of arrival.
    let isLive: Bool

    /// Creates the source for a path, or an address.
    init(_ text: String) {
        // An address of which nothing can be requested is a stream too: `ffmpeg` says what is wrong with it.
        if case .file(let path)? = try? SourceAddress(text) {
            (self.path, self.isLive) = (path, false)
        } else {
            (self.path, self.isLive) = (text, true)
        }
    }

    /// Whether a path is that of a video, by its extension or as an address.
    static func isVideo(_ path: String) -> Bool {
        let name = path.lowercased()
        let ends = ["mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "mts", "mpg", "mpeg", "wmv", "flv", "3gp", "ogv"]
        return path.contains("://") || ends.contains { name.hasSuffix(".\($0)") }
    }

    /// Starts `ffmpeg`, which decodes the pictures.
    ///
    /// - Parameters:
    ///   - framesPerSecond: Maximum rate of pictures; `nil` takes all.
    ///   - stop: Ends the examination of a file.
    /// - Returns: The pictures.
    /// - Throws: ``ReplayError`` if there is no `ffmpeg`, or a file cannot be read.
    func pictures(framesPerSecond: Double?, until stop: StopSignal) throws(ReplayError) -> VideoPictures {
        let rate = framesPerSecond.flatMap { FrameRate("\($0)") }
        let maxPixels = PictureLimits().maxPixels
        do throws(SourceError) {
            guard !self.isLive else {
                let sampling = PictureSampling(pace: rate)
                let decoder = try FFmpegDecoder(.stream(self.path), sampling: sampling, maxPixels: maxPixels)
                return VideoPictures(decoder, isLive: true)
            }
            let video = try self.properties(until: stop)
            let input = VideoInput.file(self.path, start: video.start)
            let decoder = try FFmpegDecoder(input, sampling: video.sampling(at: rate), maxPixels: maxPixels)
            return VideoPictures(decoder, isLive: false)
        } catch {
            guard !stop.isStopped else { throw ReplayError(.badPicture, "\(self.path) was not examined to the end") }
            throw ReplayError(error)
        }
    }

    /// Waits for the properties of a file.
    private func properties(until stop: StopSignal) throws(SourceError) -> VideoProbe {
        let examination = try VideoExamination(of: self.path)
        let handler = stop.onStop { examination.stop() }
        defer { stop.remove(handler) }
        return try examination.properties()
    }
}

/// Pictures of a video, one after the other.
struct VideoPictures {
    private var decoder: FFmpegDecoder
    private let isLive: Bool

    /// Creates the pictures of `decoder`.
    init(_ decoder: FFmpegDecoder, isLive: Bool) {
        self.decoder = decoder
        self.isLive = isLive
    }

    /// Ends the pictures when a signal is given.
    func end(at stop: StopSignal) {
        stop.onStop { [decoder = self.decoder] in decoder.stop() }
    }

    /// Waits for the next picture.
    ///
    /// - Returns: Its pixels, and its capture time, which is never 0, since that means unknown; `nil` at the end.
    mutating func next() throws(ReplayError) -> (pixels: PixelBuffer, capturedMicroseconds: UInt64)? {
        let picture: FFmpegDecoder.Picture
        do throws(SourceError) {
            guard let next = try self.decoder.next() else { return nil }
            picture = next
        } catch {
            throw ReplayError(error)
        }
        var pixels = PixelBuffer(width: Int(picture.width), height: Int(picture.height), format: .bgra)
        picture.pixels.withUnsafeReadableBytes { bytes in
            pixels.withMutableBytes { $0.copyMemory(from: bytes) }
        }
        return (pixels, self.isLive ? WallClock.microseconds : UInt64(clamping: max(picture.position, 1)))
    }

    /// Waits for `ffmpeg` to exit after the last picture.
    func finish() throws(ReplayError) {
        do throws(SourceError) {
            try self.decoder.finish()
        } catch {
            throw ReplayError(error)
        }
    }
}

extension ReplayError {
    /// Creates the error of a video that cannot be recorded.
    fileprivate init(_ error: SourceError) {
        self.init(error.code == .missingProgram ? .unreadable : .badPicture, error.message)
    }
}
