internal import TextModel
internal import ImageCodecs
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Frame event for live pages, encoded once for all of them on first use.
final class LiveFrame: Sendable {
    /// Maximum size of a picture; of larger ones, such as screenshots, only the size is sent.
    private static let maxPictureBytes = 8 << 20

    private let frame: WatchedFrame
    private let limits: WireLimits
    private let made = NIOLockedValueBox<ByteBuffer?>(nil)

    init(_ frame: WatchedFrame, limits: WireLimits) {
        self.frame = frame
        self.limits = limits
    }

    /// Number of bytes that it keeps until it is encoded.
    var byteCount: Int { self.frame.byteCount }

    /// Event for the pages; slow if the picture must be encoded as a JPEG.
    func event() -> ByteBuffer {
        self.made.withLockedValue { made in
            if let made { return made }
            let event = self.makeEvent()
            made = event
            return event
        }
    }

    private func makeEvent() -> ByteBuffer {
        let picture = self.picture()
        let isOmitted = picture.readableBytes > Self.maxPictureBytes
        let shown = isOmitted ? ByteBuffer() : picture
        let line = self.frame.line
        var event = ByteBufferAllocator().buffer(capacity: shown.readableBytes * 4 / 3 + line.readableBytes + 128)
        event.writeString("event: frame\ndata: {\"stream\":\(self.frame.stream),\"result\":")
        // The line without its line feed, the only one in it.
        event.writeImmutableBuffer(line.getSlice(at: line.readerIndex, length: max(line.readableBytes - 1, 0)) ?? line)
        event.writeString(",\"jpeg\":\"")
        event.writeBase64(shown.readableBytesView)
        event.writeString(isOmitted ? "\",\"omitted_bytes\":\(picture.readableBytes)}\n\n" : "\"}\n\n")
        return event
    }

    /// Picture as a JPEG in the orientation as sent; empty if there is none.
    private func picture() -> ByteBuffer {
        guard self.frame.isRead else { return ByteBuffer() }
        return self.frame.frame.format == .jpeg ? self.frame.payload : self.encoded()
    }

    private func encoded() -> ByteBuffer {
        let payload = self.frame.payload
        do throws(CodecError) {
            return try FrameDecoder(limits: self.limits.picture).withPixels(
                of: self.frame.frame,
                payload: payload.readableBytesSpan
            ) { pixels, _ in
                (try? JPEGEncoder().encode(pixels)).map(ByteBuffer.init(bytes:)) ?? ByteBuffer()
            }
        } catch {
            return ByteBuffer()
        }
    }
}

extension WatchedFrame {
    /// Number of bytes of the picture and the line.
    var byteCount: Int { self.payload.readableBytes + self.line.readableBytes }
}
