internal import GlyphwireClient
internal import GlyphwireProtocol
internal import NIOCore
internal import SystemSupport
internal import TextModel

/// Source that `ffmpeg` opens and decodes: a camera's stream, a video device or a video file.
package struct FFmpegSource: FrameSource {
    private let input: VideoInput
    private let sampling: PictureSampling
    private let maxPixels: Int

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - input: What to open.
    ///   - sampling: The pictures that are taken.
    ///   - maxPixels: Maximum number of pixels of a frame.
    package init(_ input: VideoInput, sampling: PictureSampling, maxPixels: Int) {
        self.input = input
        self.sampling = sampling
        self.maxPixels = maxPixels
    }

    package var isLive: Bool { self.input.isLive }

    package var silence: Duration { Self.tolerance + self.sampling.interval }

    package func run(into mailbox: FrameMailbox) async throws {
        let decoder = try FFmpegDecoder(self.input, sampling: self.sampling, maxPixels: self.maxPixels)
        try await NamedThread.run(name: "ffmpeg") {
            try self.read(decoder, into: mailbox)
        } onCancel: {
            decoder.stop()
        }
    }

    private func read(_ decoder: FFmpegDecoder, into mailbox: FrameMailbox) throws(SourceError) {
        var decoder = decoder
        while let picture = try decoder.next() {
            mailbox.put(
                Frame(
                    format: .bgra,
                    payload: picture.pixels,
                    width: picture.width,
                    height: picture.height,
                    capturedMicroseconds: self.isLive ? WallClock.microseconds : UInt64(clamping: picture.position)
                )
            )
        }
        try decoder.finish()
    }
}
