internal import TextModel
public import NIOCore

extension ServerLine {
    /// Parses one line from a server.
    ///
    /// Unknown members are skipped and a line of an unknown type becomes ``other(type:)``, as Protocol.md requires for
    /// compatibility with newer servers.
    ///
    /// - Parameter line: The line's bytes, with or without the line feed.
    /// - Throws: ``JSONError`` for a line that does not conform to Protocol.md.
    public init(json line: ByteBuffer) throws(JSONError) {
        var reader = JSONReader(line)
        let type = try Self.type(in: reader)
        switch type {
        case "hello": self = .hello(try Hello(from: &reader))
        case "configured": self = .configured(try Configured(from: &reader))
        case "result": self = .result(try FrameResult(from: &reader))
        case "pong": self = .pong(try Pong(from: &reader))
        case "stats": self = .stats(try Stats(from: &reader))
        case "error": self = .error(try ErrorLine(from: &reader))
        case "goaway": self = .goAway(try GoAway(from: &reader))
        case "end": self = .end(try EndLine(from: &reader))
        default:
            try reader.skipValue()
            self = .other(type: type)
        }
        try reader.end()
    }

    /// The line's `type`, which need not be the first member.
    private static func type(in line: JSONReader) throws(JSONError) -> String {
        var reader = line
        try reader.beginObject()
        while let name = try reader.nextName() {
            if name == "type" { return try reader.string() }
            try reader.skipValue()
        }
        throw JSONError(message: "expected a member \"type\"", offset: 0)
    }
}

extension JSONReader {
    /// Parses the raw value of an enumeration's case.
    mutating func choice<Choice: RawRepresentable>(_: Choice.Type = Choice.self) throws(JSONError) -> Choice
    where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try self.string()) else {
            throw self.error("expected one of the values of \(Choice.self) before here")
        }
        return choice
    }

    /// Parses the members of an object one by one.
    mutating func members(
        _ read: (String, inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try self.beginObject()
        while let name = try self.nextName() { try read(name, &self) }
    }

    /// Parses an array element by element.
    mutating func array<Element>(
        of element: (inout JSONReader) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        var elements: [Element] = []
        try self.beginArray()
        while try self.nextElement() { elements.append(try element(&self)) }
        return elements
    }
}

extension Hello {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(server: "", version: "", limits: WireLimits(), levels: [], features: [])
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "server": self.server = try reader.string()
            case "version": self.version = try reader.string()
            case "protocol": self.protocolVersion = try reader.integer()
            case "auth": self.authentication = try reader.choice()
            case "limits": try self.readLimits(from: &reader)
            case "levels":
                // Unknown levels are skipped, as this client cannot request them.
                self.levels = try reader.array { reader throws(JSONError) in try reader.string() }
                    .compactMap(RecognitionLevel.init(rawValue:))
            case "languages": self.languages = try reader.array { reader throws(JSONError) in try reader.string() }
            case "features": self.features = try reader.array { reader throws(JSONError) in try reader.string() }
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readLimits(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "max_message_bytes": self.limits.maxMessageBytes = try reader.integer()
            case "max_pixels": self.limits.picture.maxPixels = try reader.integer()
            case "max_side": self.limits.picture.maxSide = try reader.integer()
            case "max_configure_bytes": self.limits.maxConfigureBytes = try reader.integer()
            case "max_unauthenticated_bytes": self.maxUnauthenticatedBytes = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }
}

extension GoAway {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(graceMilliseconds: 0)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "grace_ms": self.graceMilliseconds = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }
}

extension Configured {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, options: StreamConfiguration())
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "window": self.window = try reader.integer()
            case "options": self.options = try StreamConfiguration(echoedIn: &reader)
            default: try reader.skipValue()
            }
        }
    }
}

extension Pong {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, capturedMicroseconds: 0, receivedMicroseconds: 0, sentMicroseconds: 0)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "captured_us": self.capturedMicroseconds = try reader.unsignedInteger()
            case "received_us": self.receivedMicroseconds = try reader.unsignedInteger()
            case "sent_us": self.sentMicroseconds = try reader.unsignedInteger()
            default: try reader.skipValue()
            }
        }
    }
}

extension Stats {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, connection: Scope(), server: Scope())
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "connection": try self.connection.read(from: &reader)
            case "server": try self.server.read(from: &reader)
            default: try reader.skipValue()
            }
        }
    }
}

extension Stats.Scope {
    fileprivate mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "frames": try self.frames.read(from: &reader)
            case "timings_us": try self.readStages(from: &reader)
            case "tracking": try self.tracking.read(from: &reader)
            default: try reader.skipValue()
            }
        }
    }

    private mutating func readStages(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "queue": try self.queue.read(from: &reader)
            case "decode": try self.decode.read(from: &reader)
            case "detect": try self.detect.read(from: &reader)
            case "recognize": try self.recognize.read(from: &reader)
            case "total": try self.total.read(from: &reader)
            default: try reader.skipValue()
            }
        }
    }
}

extension Stats.Tracking {
    fileprivate mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "verified": self.verified = try reader.integer()
            case "regions": self.regions = try reader.integer()
            case "coarse": self.coarse = try reader.integer()
            case "full": self.full = try reader.integer()
            case "lines": self.lines = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }
}

extension FramesByStatus {
    fileprivate mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "ok": self.ok = try reader.integer()
            case "error": self.error = try reader.integer()
            case "dropped": self.dropped = try reader.integer()
            case "expired": self.expired = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }
}

extension Stats.Stage {
    fileprivate mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "count": self.count = try reader.integer()
            case "p50": self.p50 = try reader.integer()
            case "p90": self.p90 = try reader.integer()
            case "p99": self.p99 = try reader.integer()
            case "max": self.max = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }
}

extension ErrorLine {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(error: WireError(WireError.Code(rawValue: ""), ""), sequence: nil)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "code": self.error.code = WireError.Code(rawValue: try reader.string())
            case "message": self.error.message = try reader.string()
            case "fatal": self.isFatal = try reader.bool()
            case "sequence": self.sequence = reader.null() ? nil : try reader.unsignedInteger()
            default: try reader.skipValue()
            }
        }
    }
}

extension EndLine {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, frames: 0)
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "frames": self.frames = try reader.unsignedInteger()
            default: try reader.skipValue()
            }
        }
    }
}
