internal import TextSearch
internal import TextModel
public import NIOCore

/// Turns what the server has to say into lines of JSON.
///
/// The same value always gives the same bytes, members always come in the same order, and zeros are always written.
/// Nothing is allocated but what the buffer needs to grow.
public struct LineWriter: Sendable {
    /// A writer; it holds nothing.
    public init() {}

    /// Appends one line of any type.
    ///
    /// - Parameters:
    ///   - line: What to say.
    ///   - buffer: Where to write.
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
        case .other(let type):
            buffer.writeJSON(atMost: 32 + JSONCursor.bound(type)) { json in
                json.literal(#"{"type":"#)
                json.string(type)
                json.literal("}\n")
            }
        }
    }

    /// Appends a `hello` line.
    ///
    /// - Parameters:
    ///   - hello: What to say.
    ///   - buffer: Where to write.
    public func write(hello: Hello, into buffer: inout ByteBuffer) {
        let strings = [hello.server, hello.version] + hello.levels.map(\.rawValue) + hello.features
        let bound = 512 + strings.reduce(0) { $0 + JSONCursor.bound($1) + 1 }
        buffer.writeJSON(atMost: bound) { json in
            json.literal(#"{"type":"hello","server":"#)
            json.string(hello.server)
            json.literal(#","version":"#)
            json.string(hello.version)
            json.literal(#","protocol":"#)
            json.integer(hello.protocolVersion)
            json.literal(#","auth":"#)
            json.string(hello.authentication.rawValue)
            json.literal(#","limits":{"max_message_bytes":"#)
            json.integer(hello.limits.maxMessageBytes)
            json.literal(#","max_pixels":"#)
            json.integer(hello.limits.picture.maxPixels)
            json.literal(#","max_side":"#)
            json.integer(hello.limits.picture.maxSide)
            json.literal(#","max_configure_bytes":"#)
            json.integer(hello.limits.maxConfigureBytes)
            json.literal(#"},"levels":"#)
            json.strings(hello.levels.map(\.rawValue))
            json.literal(#","features":"#)
            json.strings(hello.features)
            json.literal("}\n")
        }
    }

    /// Appends a `configured` line.
    ///
    /// - Parameters:
    ///   - configured: What to say; a token in it is not written.
    ///   - buffer: Where to write.
    public func write(configured: Configured, into buffer: inout ByteBuffer) {
        var options = configured.options
        options.token = nil
        buffer.writeJSON(atMost: 128 + options.jsonBound) { json in
            json.literal(#"{"type":"configured","sequence":"#)
            json.integer(configured.sequence)
            if let window = configured.window {
                json.literal(#","window":"#)
                json.integer(window)
            }
            json.literal(#","options":"#)
            json.options(options)
            json.literal("}\n")
        }
    }

    /// Appends a `pong` line.
    ///
    /// - Parameters:
    ///   - pong: What to say.
    ///   - buffer: Where to write.
    public func write(pong: Pong, into buffer: inout ByteBuffer) {
        buffer.writeJSON(atMost: 192) { json in
            json.literal(#"{"type":"pong","sequence":"#)
            json.integer(pong.sequence)
            json.literal(#","captured_us":"#)
            json.integer(pong.capturedMicroseconds)
            json.literal(#","received_us":"#)
            json.integer(pong.receivedMicroseconds)
            json.literal(#","sent_us":"#)
            json.integer(pong.sentMicroseconds)
            json.literal("}\n")
        }
    }

    /// Appends a `stats` line.
    ///
    /// - Parameters:
    ///   - stats: What to say.
    ///   - buffer: Where to write.
    public func write(stats: Stats, into buffer: inout ByteBuffer) {
        buffer.writeJSON(atMost: 4096) { json in
            json.literal(#"{"type":"stats","sequence":"#)
            json.integer(stats.sequence)
            json.literal(#","connection":"#)
            json.scope(stats.connection)
            json.literal(#","server":"#)
            json.scope(stats.server)
            json.literal("}\n")
        }
    }

    /// Appends an `error` line.
    ///
    /// - Parameters:
    ///   - line: What to say.
    ///   - buffer: Where to write.
    public func write(error line: ErrorLine, into buffer: inout ByteBuffer) {
        let bound = 128 + JSONCursor.bound(line.error.code.rawValue) + JSONCursor.bound(line.error.message)
        buffer.writeJSON(atMost: bound) { json in
            json.literal(#"{"type":"error","sequence":"#)
            if let sequence = line.sequence { json.integer(sequence) } else { json.literal("null") }
            json.literal(#","code":"#)
            json.string(line.error.code.rawValue)
            json.literal(#","message":"#)
            json.string(line.error.message)
            json.literal(#","fatal":"#)
            json.bool(line.isFatal)
            json.literal("}\n")
        }
    }

    /// Appends a `goaway` line.
    ///
    /// - Parameters:
    ///   - goAway: What to say.
    ///   - buffer: Where to write.
    public func write(goAway: GoAway, into buffer: inout ByteBuffer) {
        buffer.writeJSON(atMost: 64) { json in
            json.literal(#"{"type":"goaway","grace_ms":"#)
            json.integer(goAway.graceMilliseconds)
            json.literal("}\n")
        }
    }

    /// Appends an `end` line.
    ///
    /// - Parameters:
    ///   - end: What to say.
    ///   - buffer: Where to write.
    public func write(end: EndLine, into buffer: inout ByteBuffer) {
        buffer.writeJSON(atMost: 96) { json in
            json.literal(#"{"type":"end","sequence":"#)
            json.integer(end.sequence)
            json.literal(#","frames":"#)
            json.integer(end.frames)
            json.literal("}\n")
        }
    }
}

extension StreamConfiguration {
    /// Bytes that the options take at most as JSON.
    var jsonBound: Int {
        let strings =
            [self.token ?? "", self.client ?? ""] + self.reading.languages
            + self.reading.customWords + self.find.map(\.source)
        return 800 + strings.reduce(0) { $0 + JSONCursor.bound($1) + 1 }
    }
}

extension JSONCursor {
    /// All options as an object that is a `configure` body too.
    mutating func options(_ options: StreamConfiguration) {
        let reading = options.reading
        self.byte(UInt8(ascii: "{"))
        if let token = options.token {
            self.literal(#""token":"#)
            self.string(token)
            self.byte(UInt8(ascii: ","))
        }
        if let client = options.client {
            self.literal(#""client":"#)
            self.string(client)
            self.byte(UInt8(ascii: ","))
        }
        self.literal(#""level":"#)
        self.string(reading.level.rawValue)
        self.literal(#","recognize":"#)
        self.bool(reading.recognize)
        self.literal(#","characters":"#)
        self.bool(reading.characters)
        self.literal(#","coordinates":"#)
        self.string(options.coordinates.rawValue)
        self.literal(#","minimumTextHeight":"#)
        self.decimal(reading.minimumTextHeight, .options)
        self.literal(#","regionOfInterest":"#)
        self.region(reading.regionOfInterest, options.coordinates)
        self.literal(#","languages":"#)
        self.strings(reading.languages)
        self.literal(#","candidates":"#)
        self.integer(reading.candidates)
        self.literal(#","delivery":"#)
        self.string(options.delivery.rawValue)
        if let deadline = options.deadlineMilliseconds {
            self.literal(#","deadline_ms":"#)
            self.integer(deadline)
        }
        if let offset = options.clockOffsetMicroseconds {
            self.literal(#","clock_offset_us":"#)
            self.integer(offset)
        }
        if let temporal = options.temporal {
            self.literal(#","temporal":"#)
            self.bool(temporal)
        }
        self.literal(#","refresh_ms":"#)
        self.integer(options.refreshMilliseconds)
        self.literal(#","find":"#)
        self.strings(options.find.map(\.source))
        self.literal(#","customWords":"#)
        self.strings(reading.customWords)
        self.literal(#","upright":"#)
        self.string(reading.upright.rawValue)
        self.literal(#","damaged":"#)
        self.string(options.damaged.rawValue)
        self.byte(UInt8(ascii: "}"))
    }

    private mutating func region(_ region: Region, _ coordinates: CoordinateSpace) {
        self.byte(UInt8(ascii: "["))
        self.decimal(region.x, .options)
        self.byte(UInt8(ascii: ","))
        self.decimal(coordinates == .vision ? 1 - region.y - region.height : region.y, .options)
        self.byte(UInt8(ascii: ","))
        self.decimal(region.width, .options)
        self.byte(UInt8(ascii: ","))
        self.decimal(region.height, .options)
        self.byte(UInt8(ascii: "]"))
    }

    mutating func strings(_ strings: [String]) {
        self.byte(UInt8(ascii: "["))
        for (index, string) in strings.enumerated() {
            if index > 0 { self.byte(UInt8(ascii: ",")) }
            self.string(string)
        }
        self.byte(UInt8(ascii: "]"))
    }

    fileprivate mutating func scope(_ scope: Stats.Scope) {
        self.literal(#"{"frames":{"ok":"#)
        self.integer(scope.ok)
        self.literal(#","error":"#)
        self.integer(scope.error)
        self.literal(#","dropped":"#)
        self.integer(scope.dropped)
        self.literal(#","expired":"#)
        self.integer(scope.expired)
        self.literal(#"},"timings_us":{"queue":"#)
        self.stage(scope.queue)
        self.literal(#","decode":"#)
        self.stage(scope.decode)
        self.literal(#","detect":"#)
        self.stage(scope.detect)
        self.literal(#","recognize":"#)
        self.stage(scope.recognize)
        self.literal(#","total":"#)
        self.stage(scope.total)
        self.literal("}}")
    }

    private mutating func stage(_ stage: Stats.Stage) {
        self.literal(#"{"count":"#)
        self.integer(stage.count)
        self.literal(#","p50":"#)
        self.integer(stage.p50)
        self.literal(#","p90":"#)
        self.integer(stage.p90)
        self.literal(#","p99":"#)
        self.integer(stage.p99)
        self.literal(#","max":"#)
        self.integer(stage.max)
        self.byte(UInt8(ascii: "}"))
    }
}
