/// Properties of a video file, as `ffprobe` reports them.
package struct VideoProbe: Sendable {
    /// Latest start in seconds; a later one is a mistake in the file.
    private static let maxStart = 86_400.0
    /// Maximum duration in seconds, ten years; a longer one is a mistake in the file.
    private static let maxDuration = 315_576_000.0

    /// Mean time between two pictures; zero if it is not known.
    let frameDuration: Duration
    /// Rate of which all times of pictures are multiples, as far as `ffprobe` has read; `nil` if it is not known.
    private let maxFramesPerSecond: Double?
    /// Time from the start of the file, which may be sound, to its first picture.
    package let start: Duration
    /// Duration; `nil` if the file does not say.
    package let duration: Duration?

    /// Parses the output of `ffprobe`; `nil` if it has no video, and at most a picture with sound.
    init?(report: String) {
        let sections = report.split(whereSeparator: \.isNewline).map { Section($0) }
        guard let stream = sections.first(where: { $0.name == "stream" }), stream["disposition:attached_pic"] != "1"
        else { return nil }
        let format = sections.first { $0.name == "format" }
        let mean = stream.rate("avg_frame_rate").map { Duration.seconds(min(1 / $0, Self.maxDuration)) }
        self.frameDuration = mean ?? .zero
        self.maxFramesPerSecond = stream.rate("r_frame_rate")
        let keyFrame = sections.first { $0.name == "packet" && $0["flags"]?.contains("K") == true }
        // A picture before the key frame cannot be decoded, and one before the start of an edit list is not shown.
        let first = [keyFrame?.seconds("pts_time"), stream.seconds("start_time")].compactMap(\.self).max() ?? 0
        let start = first - (format?.seconds("start_time") ?? 0)
        self.start = .seconds(min(max(start, 0), Self.maxStart))
        self.duration = format?.seconds("duration").map { .seconds(min(max($0, 0), Self.maxDuration)) }
    }

    /// The pictures to take for a maximum rate: all of a file that has no more.
    ///
    /// - Parameter rate: The maximum rate; `nil` takes all.
    /// - Returns: The choice.
    package func sampling(at rate: FrameRate?) -> PictureSampling {
        guard let rate else { return .all }
        if let maxFramesPerSecond, rate.perSecond >= maxFramesPerSecond { return .all }
        return .moments(rate)
    }

    /// The time until which the last picture is shown: the end of the file, or else as long as others.
    ///
    /// - Parameters:
    ///   - position: The position of the last picture.
    ///   - rate: The maximum rate at which pictures were taken; `nil` for all.
    ///   - isWhole: Whether all of the file was read.
    /// - Returns: The time from the start of the file.
    package func end(afterPictureAt position: Duration, rate: FrameRate?, isWhole: Bool) -> Duration {
        if isWhole, let duration, duration > position { return duration }
        return position + max(self.frameDuration, rate?.frameDuration ?? .zero)
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

        func seconds(_ name: Substring) -> Double? { self[name].flatMap { Double($0) }.flatMap { $0.isNaN ? nil : $0 } }

        /// Value of a fraction such as `30000/1001`; `nil` for `0/0`, which is an unknown one.
        func rate(_ name: Substring) -> Double? {
            let terms = self[name]?.split(separator: "/").compactMap { Double($0) } ?? []
            return terms.count == 2 && terms[0] > 0 && terms[1] > 0 ? terms[0] / terms[1] : nil
        }
    }
}
