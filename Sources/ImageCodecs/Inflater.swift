internal import CZlib

/// Decompressor of DEFLATE data (RFC 1951) in a gzip or zlib container.
package enum Inflater {
    /// Container format of the data.
    package enum Wrapping: Sendable, Hashable {
        /// gzip files (RFC 1952), one or several in a row.
        case gzip
        /// zlib streams (RFC 1950), or raw DEFLATE data, which some programs send under the same name.
        case zlib
    }

    /// Reason why decompression failed.
    package enum Failure: Error, Sendable, Hashable {
        /// The data is invalid, with a reason in a few words.
        case damaged(String)
        /// The data ends too early.
        case cutOff
        /// The output would exceed the limit.
        case tooLarge
        /// The caller has no memory for the output.
        case noMemory
    }

    private static let stepByteCount = 64 << 10

    /// Decompresses all of `packed`.
    ///
    /// One byte can expand to a thousand, so memory is requested in steps, each before its data is decompressed.
    ///
    /// - Parameters:
    ///   - packed: The data in its container.
    ///   - wrapping: The container's format.
    ///   - limit: Maximum number of bytes in the output.
    ///   - hold: Receives the number of bytes of each step, and returns whether there is memory for them.
    /// - Returns: The decompressed data.
    /// - Throws: ``Failure`` if not all of the data can be decompressed.
    package static func unpack(
        _ packed: [UInt8],
        wrapping: Wrapping,
        limit: Int,
        hold: (Int) -> Bool = { _ in true }
    ) throws(Failure) -> [UInt8] {
        guard let count = UInt32(exactly: packed.count) else { throw .tooLarge }
        let stream = try ZlibStream(windowBits: Self.windowBits(wrapping, packed))
        // zlib only reads the input, but its header does not declare it `const`.
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
                    // Some programs pad the last block of a file with zeros.
                    if rest.allSatisfy({ $0 == 0 }) { return }
                    guard wrapping == .gzip, rest.first == 0x1F, stream.reset() else {
                        throw .damaged("something else follows its end")
                    }
                case Z_BUF_ERROR: throw .cutOff
                default: throw .damaged(stream.message ?? "it does not begin with a valid header")
                }
            }
        }
        return output
    }

    /// zlib's window parameter: a window of 32 KiB, plus an offset for each container format.
    private static func windowBits(_ wrapping: Wrapping, _ packed: [UInt8]) -> Int32 {
        switch wrapping {
        case .gzip: 15 + 16
        case .zlib:
            // RFC 1950, section 2.2: the method is 8, and the first two bytes are a multiple of 31.
            packed.count >= 2 && packed[0] & 15 == 8 && (Int(packed[0]) << 8 | Int(packed[1])) % 31 == 0 ? 15 : -15
        }
    }

    /// Calls `body` with an array's bytes, with typed errors.
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

/// zlib decompression stream at a stable address.
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

    /// Number of input bytes not consumed yet.
    var inputLeft: Int { unsafe Int(self.stream.pointee.avail_in) }

    /// zlib's error message.
    var message: String? { unsafe self.stream.pointee.msg.map { unsafe String(cString: $0) } }

    /// Sets the input, which must stay at its address.
    func setInput(_ bytes: UnsafeMutablePointer<UInt8>?, count: UInt32) {
        unsafe self.stream.pointee.next_in = bytes
        unsafe self.stream.pointee.avail_in = count
    }

    /// Restarts with the rest of the input.
    ///
    /// - Returns: Whether it succeeded.
    func reset() -> Bool { unsafe inflateReset(self.stream) == Z_OK }

    /// Decompresses until `step` is full.
    ///
    /// - Returns: zlib's status and the number of bytes written.
    func inflate(into step: inout [UInt8]) -> (status: Int32, written: Int) {
        unsafe step.withUnsafeMutableBufferPointer { buffer in
            unsafe self.stream.pointee.next_out = buffer.baseAddress
            unsafe self.stream.pointee.avail_out = UInt32(buffer.count)
            let status = unsafe CZlib.inflate(self.stream, Z_NO_FLUSH)
            return unsafe (status, buffer.count - Int(self.stream.pointee.avail_out))
        }
    }
}
