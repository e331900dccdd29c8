internal import FoundationEssentials
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import Hummingbird
internal import NIOCore

/// Route of `/streams`: the status of all connections.
struct StreamRoutes {
    let monitor: ServerMonitor

    func add(to router: some RouterMethods<BasicRequestContext>) {
        router.get("streams") { _, _ in
            try Response.bytes(StreamsReport(self.monitor.streams).json(), contentType: "application/json")
        }
    }
}

/// Content of `/streams`, with the names of Protocol.md.
struct StreamsReport: Encodable {
    struct Stream: Encodable {
        var id: UInt64
        var peer: String
        var client: String?
        var authenticated: Bool
        var level: String
        var delivery: String
        var connected_seconds: Double
        var idle_seconds: Double?
        var frames: [String: Int]
        var warnings: [String: Int]
        var rates: [String: Double]
        var bytes: [String: Int]
        var age_ms: Int?
        var timings_us: [String: Int]?
    }

    var streams: [Stream]

    init(_ streams: [StreamStatus]) { self.streams = streams.map(Stream.init) }

    func json() throws -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var json = ByteBuffer(bytes: try encoder.encode(self))
        json.writeString("\n")
        return json
    }
}

extension StreamsReport.Stream {
    fileprivate init(_ status: StreamStatus) {
        self.id = status.id
        self.peer = status.peer
        self.client = status.configuration.client
        self.authenticated = status.isAuthenticated
        self.level = status.configuration.reading.level.rawValue
        self.delivery = status.configuration.delivery.rawValue
        self.connected_seconds = status.connected.rounded
        self.idle_seconds = status.idle?.rounded
        self.frames = [
            "received": status.received, "ok": status.ok, "error": status.failed, "dropped": status.dropped,
            "expired": status.expired, "unanswered": status.unanswered,
        ]
        self.warnings = Dictionary(
            uniqueKeysWithValues: status.warnings.map { code, count in (code.rawValue, count) }
        )
        self.rates = ["received": status.receivedRate.rounded, "ok": status.readRate.rounded]
        self.bytes = ["received": status.receivedBytes, "sent": status.sentBytes]
        self.age_ms = status.ageMilliseconds
        self.timings_us = status.timings.map { timings in
            [
                "queue": timings.queue, "decode": timings.decode, "detect": timings.detect,
                "recognize": timings.recognize, "total": timings.total,
            ]
        }
    }
}

extension Duration {
    /// The duration in seconds, rounded to hundredths.
    fileprivate var rounded: Double { (self / .seconds(1)).rounded }
}

extension Double {
    /// The number rounded to hundredths.
    fileprivate var rounded: Double { (self * 100).rounded() / 100 }
}
