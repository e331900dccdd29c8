internal import CLZ4
internal import TextModel

/// Decoder for pixel rows in the LZ4 frame format, as the `lz4` tool writes it.
///
/// The library needs its own buffers for the blocks of a frame, up to 8.2 MiB for blocks of 4 MiB, and keeps them for
/// the next frame.
@safe
final class LZ4FrameDecoder {
    /// Progress of one library call.
    private struct Step {
        var consumed: Int
        var produced: Int
        /// Whether the frame's end mark was read and its checksum, if it has one, was right.
        var isEnd: Bool
    }

    private var context: OpaquePointer

    init() { unsafe self.context = Self.makeContext() }

    deinit {
        unsafe LZ4F_freeDecompressionContext(self.context)
    }

    private static func makeContext() -> OpaquePointer {
        var context: OpaquePointer?
        let status = unsafe LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))
        guard LZ4F_isError(status) == 0, let context = unsafe context else { fatalError("out of memory") }
        return unsafe context
    }

    /// Decompresses `payload`, exactly one LZ4 frame, into `rows`.
    ///
    /// - Parameters:
    ///   - payload: The payload as sent.
    ///   - rows: Memory for the largest size of the rows of `frame`.
    ///   - frame: Description from the frame's header.
    /// - Throws: `lz4Corrupt`, or `sizeMismatch` if the content is longer or shorter.
    func decode(
        _ payload: UnsafeRawBufferPointer,
        into rows: UnsafeMutableRawBufferPointer,
        of frame: FrameDescription
    ) throws(CodecError) {
        do throws(CodecError) {
            try unsafe self.unpack(payload, into: rows, of: frame)
        } catch {
            // LZ4F_resetDecompressionContext keeps the content size of the last frame and applies it to a next frame
            // that does not state one (LZ4 1.9.4).
            unsafe LZ4F_freeDecompressionContext(self.context)
            unsafe self.context = Self.makeContext()
            throw error
        }
    }

    private func unpack(
        _ payload: UnsafeRawBufferPointer,
        into rows: UnsafeMutableRawBufferPointer,
        of frame: FrameDescription
    ) throws(CodecError) {
        var consumed = try unsafe self.readHeader(of: payload, of: frame)
        var produced = 0
        while true {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: payload[consumed...])
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: rows[produced...])
            let step = try unsafe self.step(from: rest, into: room)
            consumed += step.consumed
            produced += step.produced
            if step.isEnd { break }
            guard step.consumed > 0 || step.produced > 0 else {
                if unsafe room.isEmpty && self.hasMore(rest) { throw frame.mismatch("the LZ4 frame holds", nil) }
                throw CodecError(.lz4Corrupt, "the LZ4 frame is cut off before its end mark; send the whole frame")
            }
        }
        guard frame.accepts(pixelByteCount: produced) else { throw frame.mismatch("the LZ4 frame holds", produced) }
        guard consumed == payload.count else {
            throw CodecError(
                .lz4Corrupt,
                "bytes after the LZ4 frame: \(payload.count - consumed); send one LZ4 frame per message, and nothing after it"
            )
        }
    }

    /// Reads the LZ4 frame's header, checks its content size, and returns the header's length.
    private func readHeader(of payload: UnsafeRawBufferPointer, of frame: FrameDescription) throws(CodecError) -> Int {
        var info = LZ4F_frameInfo_t()
        var byteCount = payload.count
        let status = unsafe LZ4F_getFrameInfo(self.context, &info, payload.baseAddress, &byteCount)
        guard LZ4F_isError(status) == 0 else {
            throw unsafe CodecError(mistakenForLZ4Frame: PeerBytes(payload)) ?? Self.damage(status)
        }
        guard info.frameType == LZ4F_frame else {
            throw CodecError(.lz4Corrupt, "a skippable LZ4 frame holds no pixels; send an LZ4 frame")
        }
        guard info.dictID == 0 else {
            throw CodecError(.lz4Corrupt, "the LZ4 frame needs dictionary \(info.dictID); compress it without one")
        }
        let promise = Int(clamping: info.contentSize)
        guard promise == 0 || frame.accepts(pixelByteCount: promise) else {
            throw frame.mismatch("the LZ4 frame's header states", promise)
        }
        return byteCount
    }

    private func step(
        from source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Step {
        // The rows keep their address, so the library may refer to them instead of keeping a copy.
        var options = LZ4F_decompressOptions_t()
        options.stableDst = 1
        var (consumed, produced) = (source.count, target.count)
        let status = unsafe LZ4F_decompress(
            self.context,
            target.baseAddress,
            &produced,
            source.baseAddress,
            &consumed,
            &options
        )
        guard LZ4F_isError(status) == 0 else { throw Self.damage(status) }
        return Step(consumed: consumed, produced: produced, isEnd: status == 0)
    }

    /// Whether the frame yields another byte, which distinguishes too long a frame from a truncated one.
    private func hasMore(_ rest: UnsafeRawBufferPointer) -> Bool {
        var surplus: UInt8 = 0
        let step = unsafe withUnsafeMutableBytes(of: &surplus) { byte in try? unsafe self.step(from: rest, into: byte) }
        return step.map { $0.produced > 0 } ?? false
    }

    private static func damage(_ status: Int) -> CodecError {
        let reason = unsafe String(cString: LZ4F_getErrorName(status))
        return CodecError(.lz4Corrupt, "the LZ4 frame is damaged (\(reason)); send the whole frame")
    }
}
