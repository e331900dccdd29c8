internal import ImageCodecs
internal import FrameOverlay
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Writer of a session's frames with recognized words in red and characters in blue.
///
/// It works after a run, from the session and the received lines, so that it does not slow the run down.
package struct OverlayWriter: Sendable {
    /// Summary of the pictures.
    package struct Summary: Sendable, Equatable {
        /// Number of pictures written.
        package var written = 0
        /// Errors of frames that could not be decoded or written.
        package var failures: [String] = []
    }

    private let folder: String
    private let interval: Int

    /// Creates a writer of every `interval`th picture to `folder`, which is created if needed.
    package init(folder: String, every interval: Int = 1) throws(ReplayError) {
        self.folder = folder
        self.interval = max(interval, 1)
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw ReplayError(.unwritable, "the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    /// Default path of the received lines.
    package var resultsPath: String { "\(self.folder)/results.ndjson" }

    /// Draws the frames of a session that have a result.
    ///
    /// - Parameters:
    ///   - session: The path of the session that was played.
    ///   - results: The path of the lines that one connection received.
    ///   - onPicture: Called with the number of pictures written so far.
    /// - Returns: A summary of the pictures.
    /// - Throws: ``ReplayError`` if one of the files cannot be read.
    package func write(
        session: String,
        results: String,
        onPicture: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Summary {
        try await NIOThreadPool.singleton.runIfActive {
            var frames = FrameReader(session: try SessionReader(path: session))
            var lines = try ServerLineReader(path: results)
            var summary = Summary()
            let decoder = FrameDecoder(limits: PictureLimits())
            while let result = try lines.nextResult() {
                // Results are in the order of the frames, so both files are read in parallel. Only the first playback
                // of a session is drawn.
                guard let frame = try frames.next(sequence: result.sequence) else { break }
                guard (frames.count - 1) % self.interval == 0, case .ok(let text) = result.outcome else { continue }
                do {
                    let picture = try Self.overlay(of: text, on: frame, with: decoder)
                    let path = self.path(of: frame)
                    try OutputFile.check(path, apartFrom: [session, results])
                    try picture.write(to: path)
                    summary.written += 1
                    onPicture(summary.written)
                } catch {
                    summary.failures.append("frame \(result.sequence): \(error)")
                }
            }
            return summary
        }
    }

    private func path(of frame: Message) -> String {
        "\(self.folder)/frame-\(Decimals.padded("\(frame.header.sequence)", to: 6, with: "0")).jpg"
    }

    private static func overlay(
        of text: FrameText,
        on frame: Message,
        with decoder: FrameDecoder
    ) throws -> Overlay {
        let description = try FrameDescription(header: frame.header, limits: WireLimits())
        // A frame with a text may be damaged below it.
        var overlay = try decoder.withFrame(description, payload: frame.payload.readableBytesSpan, damaged: .read) {
            Overlay(on: $0.pixels)
        }
        overlay.draw(text.linesAsSent)
        return overlay
    }
}

/// Reader of a session's frames.
private struct FrameReader {
    var session: SessionReader
    /// Number of frames that were read or skipped.
    private(set) var count = 0

    init(session: SessionReader) {
        self.session = session
    }

    /// Returns the next frame with this number; those before it had no result.
    mutating func next(sequence: UInt64) throws(ReplayError) -> Message? {
        while let message = try self.session.next() {
            guard message.header.type == MessageType.frame.rawValue else { continue }
            self.count += 1
            if message.header.sequence == sequence { return message }
        }
        return nil
    }
}
