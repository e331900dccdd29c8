/// Properties of a video file, as `ffprobe` reports them.
package struct VideoProbe: Sendable {
    /// Number of packets among which the first key frame is looked for: seconds, as a recording may begin between two.
    private static let examinedPacketCount = 100
    /// Latest start in seconds; a later one is a mistake in the file.
    private static let maxStart = 86_400.0

    /// Frame rate.
    package let framesPerSecond: FrameRate
    /// Time from the start of the file, which may be sound, to its first picture.
    package let start: Duration
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
                "-v", "error", "-select_streams", "v:0", "-read_intervals", "%+#\(Self.examinedPacketCount)",
                "-show_entries", "packet=pts_time,flags:stream=avg_frame_rate,start_time:format=start_time,duration",
                "-of", "compact", "-i", "file:\(path)",
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
        guard let properties = VideoProbe(report: String(decoding: output, as: UTF8.self)) else {
            throw SourceError(.notAPicture, "\(path) has no video")
        }
        self = properties
    }

    /// Parses the output of `ffprobe`; `nil` if it has no video.
    init?(report: String) {
        let sections = report.split(whereSeparator: \.isNewline).map { Section($0) }
        let stream = sections.first { $0.name == "stream" }
        let format = sections.first { $0.name == "format" }
        guard let rate = stream?["avg_frame_rate"].flatMap({ FrameRate($0) }) else { return nil }
        self.framesPerSecond = rate
        let keyFrame = sections.first { $0.name == "packet" && $0["flags"]?.contains("K") == true }
        // A picture before the key frame cannot be decoded, and one before the start of an edit list is not shown.
        let first = [keyFrame?.seconds("pts_time"), stream?.seconds("start_time")].compactMap(\.self).max() ?? 0
        let start = first - (format?.seconds("start_time") ?? 0)
        self.start = .seconds(min(max(start, 0), Self.maxStart))
        self.duration = format?.seconds("duration").map { .seconds($0) }
    }

    /// Line of the output of `ffprobe`, such as `stream|avg_frame_rate=25/1|start_time=0.000000`.
    private struct Section {
        let name: Substring
        private let values: [Substring: Substring]

        init(_ line: Substring) {
            let fields = line.split(separator: "|")
            self.name = fields.first ?? ""
            let pairs = fields.map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
            self.values = Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
        }

        subscript(name: Substring) -> Substring? { self.values[name] }

        func seconds(_ name: Substring) -> Double? { self[name].flatMap { Double($0) } }
    }
}
