internal import TextModel
public import NIOCore

extension StreamConfiguration {
    /// Parses the body of a `configure` message; an empty one sets every option to its default.
    ///
    /// - Parameters:
    ///   - body: A JSON object in UTF-8, or nothing.
    ///   - limits: The limits on its length.
    ///   - defaults: The values of options that the body omits.
    /// - Throws: ``WireError`` with ``WireError/Code/badConfiguration``, ``WireError/Code/unknownOption`` or
    ///   ``WireError/Code/badOption``; then nothing of the body takes effect.
    public init(
        json body: ByteBuffer,
        limits: WireLimits = WireLimits(),
        defaults: StreamConfiguration = StreamConfiguration()
    ) throws(WireError) {
        self = defaults
        guard body.readableBytes > 0 else { return }
        try Self.checkLength(body.readableBytes, limits: limits)
        try Self.checkEncoding(body)
        do {
            var options = OptionReader(reader: JSONReader(body), defaults: defaults, ignoresUnknown: false)
            self = try options.configuration()
            try options.reader.end()
        } catch let error as WireError {
            throw error
        } catch {
            throw WireError(
                .badConfiguration,
                "the configure body cannot be read: \(error); send one JSON object, such as {\"level\":\"fast\"}"
            )
        }
    }

    /// Checks the length of the body of a `configure` message.
    ///
    /// - Parameters:
    ///   - byteCount: The length.
    ///   - limits: The limits on it.
    /// - Throws: ``WireError`` with ``WireError/Code/badConfiguration``.
    package static func checkLength(_ byteCount: Int, limits: WireLimits) throws(WireError) {
        guard byteCount > limits.maxConfigureBytes else { return }
        throw WireError(
            .badConfiguration,
            "the configure body has \(byteCount) bytes, the limit is \(limits.maxConfigureBytes); "
                + "send only the options that differ from their defaults"
        )
    }

    /// Byte order marks of UTF-8 and of both orders of UTF-16.
    private static let byteOrderMarks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]

    /// Rejects a body that begins with a byte order mark, which no JSON does (RFC 8259, section 8.1).
    private static func checkEncoding(_ body: ByteBuffer) throws(WireError) {
        guard Self.byteOrderMarks.contains(where: { body.readableBytesView.starts(with: $0) }) else { return }
        throw WireError(
            .badConfiguration,
            "the configure body begins with a byte order mark; send UTF-8 without one"
        )
    }

    /// Serializes the configuration as the body of a `configure` message with all options.
    ///
    /// - Returns: A JSON object in UTF-8.
    public func json() -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeJSON { $0.object { self.writeMembers(into: &$0) } }
        return buffer
    }

    /// Parses the options that a server reports to be in effect; unknown ones are skipped, as are unknown values of a choice.
    init(echoedIn reader: inout JSONReader) throws(JSONError) {
        var options = OptionReader(reader: reader, defaults: StreamConfiguration(), ignoresUnknown: true)
        do {
            self = try options.configuration()
        } catch let error as JSONError {
            throw error
        } catch {
            throw reader.error("expected options: \(error)")
        }
        reader = options.reader
    }

    /// Writes every option as a member of a `configure` body.
    func writeMembers(into json: inout JSONBuilder) {
        var written = self
        if self.coordinates == .vision {
            for option in StreamOption.all { option.flip(&written) }
        }
        for option in StreamOption.all { option.write(written, &json) }
    }
}
