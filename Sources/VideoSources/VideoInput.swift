internal import Foundation
internal import TextModel

/// Input of `ffmpeg`: a camera's stream, a video device or a video file.
package enum VideoInput: Sendable, Equatable {
    /// An address such as `rtsp://camera/1`.
    case stream(String)
    /// A video device such as `/dev/video0`.
    case device(String)
    /// A video file, with the time of its first picture.
    case file(String, start: Duration)

    /// Time without data after which `ffmpeg` gives a connection up, below ``FrameSource/tolerance``, so that it can say why.
    private static let timeout = Duration.seconds(10)
    /// Media time that `ffmpeg` examines to find the streams: 5 s by default, which MPEG-TS takes in full.
    private static let analysis = Duration.milliseconds(100)
    /// Option by which the frame rate, which takes two seconds, is not estimated.
    private static let withoutRate = ["-fpsprobesize", "0"]
    /// Options of live inputs: the first picture comes at once.
    ///
    /// Not `nobuffer`, which discards what was read meanwhile: the first key frame, and all pictures to the next one.
    private static let live = Self.withoutRate + ["-analyzeduration", "\(Self.analysis.microseconds)"]
    /// What version 7 of `ffmpeg` and later ones put in front of the reason why an input ends early.
    private static let failurePrefix = "Error during demuxing: "

    /// Whether pictures show what happens now.
    package var isLive: Bool { if case .file = self { false } else { true } }

    /// Arguments of `ffmpeg` that open it.
    var arguments: [String] {
        let timeout = "\(Self.timeout.microseconds)"
        let options: [String] =
            switch self {
            // Over UDP, lost packets would spoil the picture until the next keyframe.
            case .stream(let url) where url.lowercased().hasPrefix("rtsp"):
                Self.live + ["-rtsp_transport", "tcp", "-timeout", timeout]
            // Its sound may come seconds before its first picture, without which there would be no picture to read.
            case .stream(let url) where url.lowercased().hasPrefix("rtmp"):
                Self.withoutRate + ["-rw_timeout", timeout]
            case .stream: Self.live + ["-rw_timeout", timeout]
            case .device: Self.live + ["-f", "v4l2"]
            case .file: []
            }
        return options + ["-i", self.url]
    }

    /// Address by which `ffmpeg` knows it.
    private var url: String {
        switch self {
        case .stream(let url), .device(let url): url
        case .file(let path, start: _): "file:\(path)"
        }
    }

    /// Why it has ended early, by the complaints of `ffmpeg`; `nil` if they do not say.
    ///
    /// `ffmpeg` takes a connection that breaks or falls silent for the end of the stream, and exits as after a whole one.
    func reasonOfEnd(in complaints: [String]) -> String? {
        for line in complaints.reversed() {
            if line.hasPrefix("\(self.url): ") { return self.withoutCredentials(line) }
            if let prefix = line.firstRange(of: Self.failurePrefix) { return String(line[prefix.upperBound...]) }
        }
        return nil
    }

    /// The cameras that are connected, where the one to open is not, in parentheses behind a space; empty otherwise.
    var connectedCameras: String {
        guard case .device(let path) = self, !FileManager.default.fileExists(atPath: path) else { return "" }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        let cameras = names.filter { $0.hasPrefix("video") }.sorted().map { "/dev/\($0)" }
        return cameras.isEmpty
            ? " (no camera is connected: there is no /dev/video...)" : " (there is \(cameras.joined(separator: ", ")))"
    }

    /// Shortens the address in a message of `ffmpeg`, which repeats it as it was given, to its name.
    func withoutCredentials(_ message: String) -> String {
        guard case .stream(let url) = self else { return message }
        return message.replacing(url, with: SourceAddress.stream(url).name)
    }
}
