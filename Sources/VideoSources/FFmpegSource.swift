internal import Foundation
internal import GlyphwireClient
internal import GlyphwireProtocol
internal import NIOCore
internal import TextModel

/// Source that `ffmpeg` opens and decodes: a camera's stream, a video device or a video file.
///
/// The child process decodes to bitmaps, since encoding JPEGs and decoding them again takes three times as long.
package struct FFmpegSource: FrameSource {
    /// Kind of input.
    package enum Input: Sendable, Equatable {
        /// An address such as `rtsp://camera/1`.
        case stream(String)
        /// A video device such as `/dev/video0`.
        case device(String)
        /// A video file, with the rate at which its frames are taken, and the time of the first one.
        case file(String, rate: FrameRate, start: Duration)
    }

    private static let program = "ffmpeg"
    private static let advice = "install it, for instance with: apt-get install ffmpeg"
    /// Time without data after which `ffmpeg` gives a connection up, below ``silence``, so that it can say why.
    private static let inputTimeout = Duration.seconds(10)

    /// Options of live inputs: the first picture comes at once, and not after two seconds in which the frame rate is estimated.
    private static let live = ["-fflags", "nobuffer", "-fpsprobesize", "0"]

    private let input: Input
    /// Rate of frames; `nil` takes all of a live source.
    private let rate: FrameRate?
    private let maxPixels: Int

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - input: What to open.
    ///   - maxRate: Maximum rate of frames of a live source; `nil` takes all.
    ///   - maxPixels: Maximum number of pixels of a frame.
    package init(_ input: Input, maxRate: FrameRate?, maxPixels: Int) {
        self.input = input
        self.rate = if case .file(_, rate: let rate, start: _) = input { rate } else { maxRate }
        self.maxPixels = maxPixels
    }

    /// Checks that the program is installed.
    ///
    /// - Throws: ``SourceError`` with advice on how to install it.
    package static func requireProgram() throws(SourceError) {
        let process = try ChildProcess(Self.program, ["-version"], advice: Self.advice)
        process.stop()
    }

    package var isLive: Bool { if case .file = self.input { false } else { true } }

    package var silence: Duration { Self.tolerance + (self.rate?.frameDuration ?? .zero) }

    package func run(into mailbox: FrameMailbox) async throws {
        let process = try ChildProcess(Self.program, self.arguments, advice: Self.advice)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // Reading blocks, which the threads of the task pool must not.
                Thread.detachNewThread {
                    continuation.resume(with: Result { try self.read(process, into: mailbox) })
                }
            }
        } onCancel: {
            process.stop()
        }
    }

    private var arguments: [String] {
        let timeout = "\(Self.inputTimeout.components.seconds * 1_000_000)"
        let input: [String] =
            switch self.input {
            case .stream(let url) where url.lowercased().hasPrefix("rtsp"):
                // Over UDP, lost packets would spoil the picture until the next keyframe.
                Self.live + ["-rtsp_transport", "tcp", "-timeout", timeout, "-i", url]
            case .stream(let url): Self.live + ["-rw_timeout", timeout, "-i", url]
            case .device(let path): Self.live + ["-f", "v4l2", "-i", path]
            case .file(let path, rate: _, start: _): ["-i", "file:\(path)"]
            }
        // A bitmap's rows run upwards, and those of a flipped picture downwards.
        var filters = ["vflip"]
        if let rate = self.rate {
            filters.insert(self.isLive ? "fps=\(rate)" : FileSampling.filters(rate: "\(rate)"), at: 0)
        }
        return ["-nostdin", "-v", "error"] + input
            + ["-map", "0:v:0", "-vf", filters.joined(separator: ","), "-fps_mode", "passthrough"]
            + ["-f", "image2pipe", "-c:v", "bmp", "-pix_fmt", "bgra", "-"]
    }

    private func read(_ process: ChildProcess, into mailbox: FrameMailbox) throws(SourceError) {
        var header = [UInt8](repeating: 0, count: BMPHeader.byteCount)
        var number = 0
        while header.withUnsafeMutableBytes({ process.readFully(into: $0) }) {
            guard let picture = BMPHeader(header, maxPixels: self.maxPixels) else {
                throw SourceError(.notAPicture, "the pictures have more than \(self.maxPixels) pixels")
            }
            var pixels = ByteBuffer()
            var isWhole = false
            pixels.writeWithUnsafeMutableBytes(minimumWritableBytes: picture.pixelByteCount) { bytes in
                isWhole = process.readFully(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<picture.pixelByteCount])
                )
                return isWhole ? picture.pixelByteCount : 0
            }
            guard isWhole else { break }
            mailbox.put(
                Frame(
                    format: .bgra,
                    payload: pixels,
                    width: picture.width,
                    height: picture.height,
                    capturedMicroseconds: self.time(ofFrame: number)
                )
            )
            number += 1
        }
        let complaints: [String]
        do {
            complaints = try process.finish()
        } catch {
            throw SourceError(error.code, self.withoutCredentials(error.message) + self.connectedCameras)
        }
        if let reason = self.reasonOfEnd(in: complaints) { throw SourceError(.ended, reason) }
    }

    /// Why a stream has ended, by the error output of `ffmpeg`; `nil` if it does not say.
    ///
    /// `ffmpeg` takes a connection that breaks or falls silent for the end of the stream, and exits as after a whole one.
    func reasonOfEnd(in lines: [String]) -> String? {
        guard case .stream(let url) = self.input, let line = lines.last(where: { $0.hasPrefix("\(url): ") }) else {
            return nil
        }
        return "the stream has ended: \(self.withoutCredentials(line))"
    }

    /// Microseconds at which a frame is shown: of a file from its start, of a live source now.
    private func time(ofFrame number: Int) -> UInt64 {
        guard case .file(_, rate: let rate, start: let start) = self.input else { return WallClock.microseconds }
        return UInt64(clamping: start.microseconds) + rate.position(ofFrame: number)
    }

    /// The cameras that are connected, where the one to open is not, in parentheses behind a space; empty otherwise.
    private var connectedCameras: String {
        guard case .device(let path) = self.input, !FileManager.default.fileExists(atPath: path) else { return "" }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        let cameras = names.filter { $0.hasPrefix("video") }.sorted().map { "/dev/\($0)" }
        return cameras.isEmpty
            ? " (no camera is connected: there is no /dev/video...)" : " (there is \(cameras.joined(separator: ", ")))"
    }

    /// Shortens the address in a message of `ffmpeg`, which repeats it as it was given, to its name.
    func withoutCredentials(_ message: String) -> String {
        guard case .stream(let url) = self.input else { return message }
        return message.replacing(url, with: SourceAddress.stream(url).name)
    }
}

extension ChildProcess {
    /// Fills the buffer from standard output.
    ///
    /// - Returns: Whether it was filled before the end.
    fileprivate func readFully(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let count = self.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { return false }
            filled += count
        }
        return true
    }
}
