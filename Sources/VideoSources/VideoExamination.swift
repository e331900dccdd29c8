internal import SystemSupport

/// Examination of a video file, which is a process of `ffprobe`.
package struct VideoExamination: Sendable {
    /// Number of packets among which the first key frame is looked for: seconds, as a recording may begin between two.
    private static let packetCount = 100
    /// Number of bytes that are read at once: a page of memory.
    private static let chunkByteCount = 4096

    private let path: String
    private let process: ChildProcess

    /// Starts to examine a file.
    ///
    /// - Parameter path: Of a video file.
    /// - Throws: ``SourceError`` if `ffprobe` is not installed.
    package init(of path: String) throws(SourceError) {
        let streams = "stream=avg_frame_rate,r_frame_rate,start_time:stream_disposition=attached_pic"
        self.path = path
        self.process = try ChildProcess(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-read_intervals", "%+#\(Self.packetCount)",
                "-show_entries", "packet=pts_time,flags:\(streams):format=start_time,duration",
                "-of", "compact", "-i", "file:\(path)",
            ],
            advice: "it comes with ffmpeg: apt-get install ffmpeg"
        )
    }

    /// Asks `ffprobe` to end.
    package func stop() { self.process.stop() }

    /// Waits for the properties of the file, and blocks the thread meanwhile.
    ///
    /// - Returns: The properties.
    /// - Throws: ``SourceError`` if it is no video.
    package func properties() throws(SourceError) -> VideoProbe {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: Self.chunkByteCount)
        while true {
            let count = chunk.withUnsafeMutableBytes { self.process.read(into: $0) }
            if count == 0 { break }
            output += chunk.prefix(count)
        }
        try self.process.finish()
        guard let properties = VideoProbe(report: String(decoding: output, as: UTF8.self)) else {
            throw SourceError(.notAPicture, "\(self.path) has no video")
        }
        return properties
    }

    /// Examines a file, which takes for ever where it is a pipe, or on a disk of the network that is gone.
    ///
    /// - Parameter path: Of a video file.
    /// - Returns: Its properties.
    /// - Throws: ``SourceError``, or `CancellationError` once the task is cancelled.
    package static func properties(of path: String) async throws -> VideoProbe {
        let examination = try VideoExamination(of: path)
        do {
            return try await NamedThread.run(name: "ffprobe") {
                try examination.properties()
            } onCancel: {
                examination.stop()
            }
        } catch {
            // A program that was stopped has not failed.
            try Task.checkCancellation()
            throw error
        }
    }
}
