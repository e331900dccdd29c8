internal import NIOCore
internal import VideoSources

/// Video that is decoded by `ffmpeg`: a file, or an address such as `rtsp://camera/1`.
struct VideoSource {
    private static let advice =
        "install it (apt-get install ffmpeg), or record pictures, or a motion JPEG stream on standard input"

    /// Path of the file, or the address.
    let path: String

    /// Whether it is a live source, whose frame times are the times of arrival.
    var isLive: Bool { self.path.contains("://") }

    /// Whether a path is that of a video, by its extension or as an address.
    static func isVideo(_ path: String) -> Bool {
        let name = path.lowercased()
        let ends = ["mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "mts", "mpg", "mpeg", "wmv", "flv", "3gp", "ogv"]
        return path.contains("://") || ends.contains { name.hasSuffix(".\($0)") }
    }

    /// Frames per second, as in the file.
    ///
    /// - Throws: ``ReplayError`` if `ffprobe`, which comes with `ffmpeg`, is missing or cannot read it.
    func frameRate() throws(ReplayError) -> Double {
        do throws(SourceError) {
            let rate = try VideoProbe(path: self.path).framesPerSecond
            return Double(rate.frames) / Double(rate.seconds)
        } catch {
            throw ReplayError(error)
        }
    }

    /// Starts `ffmpeg` with pictures on its standard output.
    ///
    /// - Parameters:
    ///   - framesPerSecond: Frame rate of the output; `nil` keeps all frames.
    ///   - isRaw: Whether the output is lossless PPM instead of JPEG.
    /// - Returns: The process.
    /// - Throws: ``ReplayError`` if there is no `ffmpeg`.
    func open(framesPerSecond: Double?, isRaw: Bool) throws(ReplayError) -> ProgramOutput {
        var arguments = ["-nostdin", "-v", "error", "-i", self.path, "-map", "0:v:0"]
        if let framesPerSecond {
            let rate = "\(framesPerSecond)"
            arguments +=
                self.isLive ? ["-r", rate] : ["-vf", FileSampling.filters(rate: rate), "-fps_mode", "passthrough"]
        }
        arguments += isRaw ? ["-f", "image2pipe", "-c:v", "ppm", "-pix_fmt", "rgb24"] : ["-f", "mjpeg", "-q:v", "2"]
        do throws(SourceError) {
            return ProgramOutput(process: try ChildProcess("ffmpeg", arguments + ["-"], advice: Self.advice))
        } catch {
            throw ReplayError(error)
        }
    }
}
