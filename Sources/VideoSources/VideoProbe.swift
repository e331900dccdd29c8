/// Properties of a video file, as `ffprobe` reports them.
package struct VideoProbe: Sendable {
    /// Frame rate.
    package let framesPerSecond: FrameRate
    /// Duration; `nil` if the file does not say.
    package let duration: Duration?

    /// Examines a file.
    ///
    /// - Parameter path: Of a video file.
    /// - Throws: ``SourceError`` if it is no video, or `ffprobe` is not installed.
    package init(path: String) throws(SourceError) {
        let probe = try ChildProcess(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=avg_frame_rate:format=duration",
                "-of",
                "default=noprint_wrappers=1", "-i", "file:\(path)",
            ],
            advice: "it comes with ffmpeg: apt-get install ffmpeg"
        )
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = chunk.withUnsafeMutableBytes { probe.read(into: $0) }
            if count == 0 { break }
            output += chunk.prefix(count)
        }
        try probe.finish()
        var values: [Substring: Substring] = [:]
        let text = String(decoding: output, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard let rate = values["avg_frame_rate"].flatMap({ FrameRate($0) }) else {
            throw SourceError(.notAPicture, "\(path) has no video")
        }
        self.framesPerSecond = rate
        self.duration = values["duration"].flatMap { Double($0) }.map { .seconds($0) }
    }
}
