internal import TextSearch
internal import TextModel
public import NIOCore

/// Serializer of the server's lines of JSON.
///
/// Equal values always give equal bytes: members have a fixed order, and zeros are written. Only the growth of the
/// buffer allocates.
public struct LineWriter: Sendable {
    /// Creates a writer, which has no state.
    public init() {}

    /// Appends one line of any type.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - buffer: The buffer to append to.
    public func write(_ line: ServerLine, into buffer: inout ByteBuffer) {
        switch line {
        case .hello(let hello): self.write(hello: hello, into: &buffer)
        case .configured(let configured): self.write(configured: configured, into: &buffer)
        case .result(let result): self.write(result: result, into: &buffer)
        case .pong(let pong): self.write(pong: pong, into: &buffer)
        case .stats(let stats): self.write(stats: stats, into: &buffer)
        case .error(let error): self.write(error: error, into: &buffer)
        case .end(let end): self.write(end: end, into: &buffer)
        case .goAway(let goAway): self.write(goAway: goAway, into: &buffer)
        case .other(let type): self.writeLine(into: &buffer) { $0.string("type", type) }
        }
    }

    /// Appends a `hello` line.
    ///
    /// - Parameters:
    ///   - hello: The line's content.
    ///   - buffer: The buffer to append to.
    public func write(hello: Hello, into buffer: inout ByteBuffer) {
        self.write("hello", into: &buffer) { json in
            json.string("server", hello.server)
            json.string("version", hello.version)
            json.integer("protocol", hello.protocolVersion)
            json.string("auth", hello.authentication.rawValue)
            json.object("limits") { json in
                json.integer("max_message_bytes", hello.limits.maxMessageBytes)
                json.integer("max_pixels", hello.limits.picture.maxPixels)
                json.integer("max_side", hello.limits.picture.maxSide)
                json.integer("max_configure_bytes", hello.limits.maxConfigureBytes)
                if let limit = hello.maxUnauthenticatedBytes { json.integer("max_unauthenticated_bytes", limit) }
            }
            json.strings("levels", hello.levels.map(\.rawValue))
            if !hello.languages.isEmpty { json.strings("languages", hello.languages) }
            json.strings("features", hello.features)
        }
    }

    /// Appends a `configured` line.
    ///
    /// - Parameters:
    ///   - configured: The line's content; its token is omitted.
    ///   - buffer: The buffer to append to.
    public func write(configured: Configured, into buffer: inout ByteBuffer) {
        var options = configured.options
        options.token = nil
        self.write("configured", into: &buffer) { json in
            json.integer("sequence", configured.sequence)
            if let window = configured.window { json.integer("window", window) }
            json.object("options") { options.writeMembers(into: &$0) }
        }
    }

    /// Appends a `pong` line.
    ///
    /// - Parameters:
    ///   - pong: The line's content.
    ///   - buffer: The buffer to append to.
    public func write(pong: Pong, into buffer: inout ByteBuffer) {
        self.write("pong", into: &buffer) { json in
            json.integer("sequence", pong.sequence)
            json.integer("captured_us", pong.capturedMicroseconds)
            json.integer("received_us", pong.receivedMicroseconds)
            json.integer("sent_us", pong.sentMicroseconds)
        }
    }

    /// Appends a `stats` line.
    ///
    /// - Parameters:
    ///   - stats: The line's content.
    ///   - buffer: The buffer to append to.
    public func write(stats: Stats, into buffer: inout ByteBuffer) {
        self.write("stats", into: &buffer) { json in
            json.integer("sequence", stats.sequence)
            json.scope("connection", stats.connection)
            json.scope("server", stats.server)
        }
    }

    /// Appends an `error` line.
    ///
    /// - Parameters:
    ///   - line: The line's content.
    ///   - buffer: The buffer to append to.
    public func write(error line: ErrorLine, into buffer: inout ByteBuffer) {
        self.write("error", into: &buffer) { json in
            if let sequence = line.sequence { json.integer("sequence", sequence) } else { json.null("sequence") }
            json.error(line.error)
            json.bool("fatal", line.isFatal)
        }
    }

    /// Appends a `goaway` line.
    ///
    /// - Parameters:
    ///   - goAway: The line's content.
    ///   - buffer: The buffer to append to.
    public func write(goAway: GoAway, into buffer: inout ByteBuffer) {
        self.write("goaway", into: &buffer) { $0.integer("grace_ms", goAway.graceMilliseconds) }
    }

    /// Appends an `end` line.
    ///
    /// - Parameters:
    ///   - end: The line's content.
    ///   - buffer: The buffer to append to.
    public func write(end: EndLine, into buffer: inout ByteBuffer) {
        self.write("end", into: &buffer) { json in
            json.integer("sequence", end.sequence)
            json.integer("frames", end.frames)
        }
    }

    /// Appends a line of a `type` with the members that `body` writes.
    @inline(__always)
    func write(_ type: StaticString, into buffer: inout ByteBuffer, _ body: (inout JSONBuilder) -> Void) {
        self.writeLine(into: &buffer) { json in
            json.string("type", literal: type)
            body(&json)
        }
    }

    @inline(__always)
    private func writeLine(into buffer: inout ByteBuffer, _ body: (inout JSONBuilder) -> Void) {
        buffer.writeJSON { json in
            json.object(body)
            json.byte(UInt8(ascii: "\n"))
        }
    }
}

extension JSONBuilder {
    /// Writes the members that an error has in a line.
    mutating func error(_ error: WireError) {
        self.string("code", error.code.rawValue)
        self.string("message", error.message)
    }

    fileprivate mutating func scope(_ name: StaticString, _ scope: Stats.Scope) {
        self.object(name) { json in
            json.object("frames") { json in
                json.integer("ok", scope.frames.ok)
                json.integer("error", scope.frames.error)
                json.integer("dropped", scope.frames.dropped)
                json.integer("expired", scope.frames.expired)
            }
            json.object("timings_us") { json in
                json.stage("queue", scope.queue)
                json.stage("decode", scope.decode)
                json.stage("detect", scope.detect)
                json.stage("recognize", scope.recognize)
                json.stage("total", scope.total)
            }
            json.object("tracking") { json in
                json.integer("verified", scope.tracking.verified)
                json.integer("regions", scope.tracking.regions)
                json.integer("coarse", scope.tracking.coarse)
                json.integer("full", scope.tracking.full)
                json.integer("lines", scope.tracking.lines)
            }
        }
    }

    private mutating func stage(_ name: StaticString, _ stage: Stats.Stage) {
        self.object(name) { json in
            json.integer("count", stage.count)
            json.integer("p50", stage.p50)
            json.integer("p90", stage.p90)
            json.integer("p99", stage.p99)
            json.integer("max", stage.max)
        }
    }
}
