internal import TextModel
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Route `/streams`: the status of all connections.
struct StreamRoutes {
    let monitor: ServerMonitor

    /// The route.
    var route: Route {
        Route(Endpoint(.get, "/streams", summary: "the connections, as JSON")) { _, _ in
            .bytes(StreamsReport(self.monitor.streams).json(), contentType: "application/json")
        }
    }
}

/// Content of `/streams`, with the names of Protocol.md for values that it defines.
struct StreamsReport {
    private let streams: [StreamStatus]

    init(_ streams: [StreamStatus]) { self.streams = streams }

    /// The report as a line of JSON, with its members sorted by name.
    func json() -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeJSON { json in
            json.object { json in
                json.array("streams") { json in
                    for stream in self.streams { json.object { stream.writeMembers(into: &$0) } }
                }
            }
        }
        buffer.writeString("\n")
        return buffer
    }
}

extension StreamStatus {
    fileprivate func writeMembers(into json: inout JSONBuilder) {
        if let age = self.ageMilliseconds { json.integer("age_ms", age) }
        json.bool("authenticated", self.isAuthenticated)
        json.object("bytes") { json in
            json.integer("received", self.receivedBytes)
            json.integer("sent", self.sentBytes)
        }
        if let client = self.configuration.client { json.string("client", client) }
        json.number("connected_seconds", self.connected.seconds, precision: .hundredths)
        json.string("delivery", self.configuration.delivery.rawValue)
        json.object("errors") { json in
            for (code, count) in self.errors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                json.name(code.rawValue)
                json.integer(count)
            }
        }
        json.object("frames") { json in
            json.integer("dropped", self.frames.dropped)
            json.integer("error", self.frames.error)
            json.integer("expired", self.frames.expired)
            json.integer("ok", self.frames.ok)
            json.integer("received", self.received)
            json.integer("unanswered", self.unanswered)
        }
        json.integer("id", self.id)
        if let idle = self.idle { json.number("idle_seconds", idle.seconds, precision: .hundredths) }
        if let last = self.lastError {
            json.object("last_error") { json in
                json.string("code", last.error.code.rawValue)
                json.string("message", last.error.message)
                json.number("seconds_ago", last.elapsed.seconds, precision: .hundredths)
            }
        }
        json.string("level", self.configuration.reading.level.rawValue)
        json.string("peer", self.peer)
        json.object("rates") { json in
            json.number("ok", self.readRate, precision: .hundredths)
            json.number("received", self.receivedRate, precision: .hundredths)
        }
        if let timings = self.timings { json.object("timings_us") { timings.writeMembers(into: &$0) } }
        json.object("warnings") { json in
            for (code, count) in self.warnings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                json.name(code.rawValue)
                json.integer(count)
            }
        }
    }
}

extension FrameTimings {
    fileprivate func writeMembers(into json: inout JSONBuilder) {
        json.integer("decode", self.decode)
        json.integer("detect", self.detect)
        json.integer("queue", self.queue)
        json.integer("recognize", self.recognize)
        json.integer("total", self.total)
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
