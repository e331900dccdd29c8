internal import ImageCodecs
package import NIOCore
internal import TextModel

/// Decoder of a video, which is a process of `ffmpeg`.
///
/// It decodes to pixels, since encoding JPEGs and decoding them again takes three times as long. No container of `ffmpeg` has
/// both the time and the size of each picture: one has no times, the others the size of the first picture. Therefore the pixels
/// come bare on standard output, and a report on each picture in the log, before it. Versions 4.2, 5.1 and 7.0 do that alike.
package struct FFmpegDecoder: Sendable {
    /// Picture of a video.
    package struct Picture: Sendable {
        /// Opaque BGRA rows, from the top.
        package let pixels: ByteBuffer
        /// Width in pixels.
        package let width: UInt16
        /// Number of rows.
        package let height: UInt16
        /// Microseconds from the start of the file; without meaning in a live source.
        package let position: Int
    }

    private static let program = "ffmpeg"
    private static let advice = "install it, for instance with: apt-get install ffmpeg"

    private let input: VideoInput
    private let maxPixels: Int
    private let process: ChildProcess
    /// Difference of positions from the times of `ffmpeg`; `nil` before the first picture.
    private var shift: Int?
    private var lastPosition = 0
    /// Whether no picture has come.
    private var isEmpty = true

    /// Starts to decode.
    ///
    /// - Parameters:
    ///   - input: What to open.
    ///   - sampling: The pictures that are taken.
    ///   - maxPixels: Maximum number of pixels of a picture.
    /// - Throws: ``SourceError`` if there is no `ffmpeg`.
    package init(_ input: VideoInput, sampling: PictureSampling, maxPixels: Int) throws(SourceError) {
        self.input = input
        self.maxPixels = maxPixels
        self.process = try ChildProcess(
            Self.program,
            Self.arguments(for: input, sampling),
            advice: Self.advice,
            kindOfLine: { Self.kind(ofLine: $0) }
        )
    }

    /// Checks that the program is installed.
    ///
    /// - Throws: ``SourceError`` with advice on how to install it.
    package static func requireProgram() throws(SourceError) {
        let process = try ChildProcess(Self.program, ["-version"], advice: Self.advice)
        process.stop()
    }

    private static func arguments(for input: VideoInput, _ sampling: PictureSampling) -> [String] {
        // The graph outlives a change of size in mid-stream, so that the filters keep their times, and `scale`, which converts
        // the format, takes each picture's own size.
        let filters = sampling.filters + PictureReport.filters + ["scale=eval=frame", "format=bgra"]
        return ["-nostdin", "-hide_banner", "-nostats", "-v", "+level+info", "-reinit_filter", "0"] + input.arguments
            + ["-map", "0:v:0", "-vf", filters.joined(separator: ",")]
            // Deprecated since 5.1, but versions before know no other name.
            + ["-vsync", "passthrough", "-c:v", "rawvideo", "-f", "rawvideo", "-"]
    }

    /// Sorts a line of the log, which has its level in brackets.
    static func kind(ofLine line: String) -> ErrorOutput.Kind {
        if PictureReport.isReport(line) { return .report }
        // What begins with a space continues a message.
        guard !line.hasPrefix(" "), !line.contains("[info] "), !line.contains("[warning] ") else { return .noise }
        let level = ["[error] ", "[fatal] ", "[panic] "].lazy.compactMap { line.firstRange(of: $0) }.first
        return .complaint(level.map { "\(line[..<$0.lowerBound])\(line[$0.upperBound...])" } ?? line)
    }

    /// Asks `ffmpeg` to end, and with it the pictures.
    package func stop() { self.process.stop() }

    /// Waits for the next picture, and blocks the thread meanwhile.
    ///
    /// - Returns: The picture; `nil` at the end.
    /// - Throws: ``SourceError`` for a picture that is too large.
    package mutating func next() throws(SourceError) -> Picture? {
        guard let line = self.process.nextReport() else { return nil }
        guard let report = PictureReport(line) else {
            throw SourceError(.ended, "this version of ffmpeg reports pictures in a way that is not known: \(line)")
        }
        guard let width = UInt16(exactly: report.width), let height = UInt16(exactly: report.height),
            Int(width) * Int(height) <= self.maxPixels
        else { throw SourceError(.notAPicture, "the pictures have more than \(self.maxPixels) pixels") }
        guard let pixels = self.pixels(byteCount: Int(width) * Int(height) * 4) else { return nil }
        self.isEmpty = false
        return Picture(
            pixels: report.mayBeTransparent ? Self.opaque(pixels, width: width, height: height) : pixels,
            width: width,
            height: height,
            position: self.position(at: report.microseconds)
        )
    }

    /// Waits for the process to exit after the last picture.
    ///
    /// - Throws: ``SourceError`` with the reason if it failed, or the video has ended early, or a file has no picture.
    package func finish() throws(SourceError) {
        let complaints: [String]
        do {
            complaints = try self.process.finish()
        } catch {
            throw SourceError(error.code, self.input.withoutCredentials(error.message) + self.input.connectedCameras)
        }
        if let reason = self.input.reasonOfEnd(in: complaints) {
            throw SourceError(.ended, self.input.isLive ? "the stream has ended: \(reason)" : reason)
        }
        if self.isEmpty, !self.input.isLive { throw SourceError(.notAPicture, "no picture of the file can be decoded") }
    }

    /// Reads the pixels of a picture; `nil` if they are cut off.
    private func pixels(byteCount: Int) -> ByteBuffer? {
        var pixels = ByteBuffer()
        var isWhole = false
        pixels.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { bytes in
            isWhole = self.process.readFully(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]))
            return isWhole ? byteCount : 0
        }
        return isWhole ? pixels : nil
    }

    /// Lays transparent pixels on the backdrop that pictures in files have.
    private static func opaque(_ pixels: ByteBuffer, width: UInt16, height: UInt16) -> ByteBuffer {
        let isOpaque = pixels.withUnsafeReadableBytes { bytes in
            stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
        }
        guard !isOpaque else { return pixels }
        var laid = PixelBuffer(width: Int(width), height: Int(height), format: .bgra)
        laid.lay(Array(pixels.readableBytesView), channels: 4)
        return ByteBuffer(bytes: laid.bytes)
    }

    /// Position of a picture at a time of `ffmpeg`; that of the one before if it has none.
    ///
    /// The times begin at the start of the file, or with the first picture: of some containers, and of moments.
    private mutating func position(at microseconds: Int?) -> Int {
        guard let microseconds else { return self.lastPosition }
        let time = max(microseconds, 0)
        let shift = self.shift ?? max(self.start - time, 0)
        let (position, isTooLate) = time.addingReportingOverflow(shift)
        self.shift = shift
        self.lastPosition = isTooLate ? .max : position
        return self.lastPosition
    }

    /// Position of the first picture of a file, in microseconds.
    private var start: Int { if case .file(_, start: let start) = self.input { start.microseconds } else { 0 } }
}
