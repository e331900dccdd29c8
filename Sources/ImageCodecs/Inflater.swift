internal import CZlib

/// Unpacks DEFLATE data of RFC 1951, in one of the wrappings that it comes in.
package enum Inflater {
    /// What stands around the data.
    package enum Wrapping: Sendable, Hashable {
        /// The files of RFC 1952, one or several in a row.
        case gzip
        /// The streams of RFC 1950; the bare data, which some programs send by the same name, is taken too.
        case zlib
    }

    /// Why nothing was unpacked.
    package enum Failure: Error, Sendable, Hashable {
        /// The data is no such data, for a reason in a few words.
        case damaged(String)
        /// The data ends too early.
        case cutOff
        /// There would be more than the limit.
        case tooLarge
        /// The caller has no memory for it.
        case noMemory
    }

    private static let stepByteCount = 64 << 10

    /// Unpacks all of `packed`.
    ///
    /// A byte can stand for a thousand: memory is asked for in steps, each before the next is unpacked.
    ///
    /// - Parameters:
    ///   - packed: The data in its wrapping.
    ///   - wrapping: Which one that is.
    ///   - limit: Bytes that there may be in the end.
    ///   - hold: Gets the number of bytes of each step, and says whether there is memory for them.
    /// - Returns: What was packed.
    /// - Throws: Why it cannot be unpacked, or not all of it.
    package static func unpack(
        _ packed: [UInt8],
        wrapping: Wrapping,
        limit: Int,
        hold: (Int) -> Bool = { _ in true }
    ) throws(Failure) -> [UInt8] {
        guard let count = UInt32(exactly: packed.count) else { throw .tooLarge }
        let stream = try ZlibStream(windowBits: Self.windowBits(wrapping, packed))
        // zlib reads the input only; its header does not say so.
        var input = packed
        var output: [UInt8] = []
        var step = [UInt8](repeating: 0, count: Self.stepByteCount)
        try unsafe Self.withBytes(of: &input) { bytes throws(Failure) in
            unsafe stream.setInput(bytes, count: count)
            while true {
                let (status, written) = stream.inflate(into: &step)
                guard output.count + written <= limit else { throw .tooLarge }
                guard hold(written) else { throw .noMemory }
                output.append(contentsOf: step[..<written])
                switch status {
                case Z_OK: continue
                case Z_STREAM_END:
                    let rest = packed.suffix(stream.inputLeft)
                    // Some programs fill up the last block of a file with zeros.
                    if rest.allSatisfy({ $0 == 0 }) { return }
                    guard wrapping == .gzip, rest.first == 0x1F, stream.reset() else {
                        throw .damaged("something else follows its end")
                    }
                case Z_BUF_ERROR: throw .cutOff
                default: throw .damaged(stream.message ?? "it does not begin as such data does")
                }
            }
        }
        return output
    }

    /// What zlib wants to know of the wrapping: a window of 32 KiB, and a mark for each kind.
    private static func windowBits(_ wrapping: Wrapping, _ packed: [UInt8]) -> Int32 {
        switch wrapping {
        case .gzip: 15 + 16
        case .zlib:
            // RFC 1950, section 2.2: the method is 8, and the first two bytes are a multiple of 31.
            packed.count >= 2 && packed[0] & 15 == 8 && (Int(packed[0]) << 8 | Int(packed[1])) % 31 == 0 ? 15 : -15
        }
    }

    /// Calls `body` with the bytes of an array, with typed errors.
    private static func withBytes(
        of bytes: inout [UInt8],
        _ body: (UnsafeMutablePointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        let failure: Failure? = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            do throws(Failure) {
                try unsafe body(buffer.baseAddress)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}

/// A stream of zlib that is unpacked, at an address that does not change.
@safe
private struct ZlibStream: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    init(windowBits: Int32) throws(Inflater.Failure) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK else {
            unsafe stream.deallocate()
            throw .noMemory
        }
        unsafe self.stream = stream
    }

    deinit {
        unsafe inflateEnd(self.stream)
        unsafe self.stream.deallocate()
    }

    /// Bytes of the input that were not needed yet.
    var inputLeft: Int { unsafe Int(self.stream.pointee.avail_in) }

    /// What zlib says is wrong.
    var message: String? { unsafe self.stream.pointee.msg.map { unsafe String(cString: $0) } }

    /// Names all of the input, which must stay where it is.
    func setInput(_ bytes: UnsafeMutablePointer<UInt8>?, count: UInt32) {
        unsafe self.stream.pointee.next_in = bytes
        unsafe self.stream.pointee.avail_in = count
    }

    /// Begins anew with what is left of the input.
    ///
    /// - Returns: Whether that could be done.
    func reset() -> Bool { unsafe inflateReset(self.stream) == Z_OK }

    /// Unpacks as much as `step` takes.
    ///
    /// - Returns: zlib's status, and the number of bytes.
    func inflate(into step: inout [UInt8]) -> (status: Int32, written: Int) {
        unsafe step.withUnsafeMutableBufferPointer { buffer in
            unsafe self.stream.pointee.next_out = buffer.baseAddress
            unsafe self.stream.pointee.avail_out = UInt32(buffer.count)
            let status = unsafe CZlib.inflate(self.stream, Z_NO_FLUSH)
            return unsafe (status, buffer.count - Int(self.stream.pointee.avail_out))
        }
    }
}
