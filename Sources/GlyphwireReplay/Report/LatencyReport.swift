/// Latency of frames that were read, in total and in parts.
package struct LatencyReport: Sendable, Codable, Equatable {
    /// Time from when a frame was due to its result.
    package var sinceDue: LatencySummary
    /// Time from sending a frame to its result, which a slow server can make appear short.
    package var sinceSent: LatencySummary
    /// Part of ``sinceSent`` outside the server: sockets, network, and waiting for the server to read.
    package var wire: LatencySummary
    /// Total time that the server reports.
    package var server: LatencySummary
    /// Queue time that the server reports.
    package var queue: LatencySummary
    /// Decoding time that the server reports.
    package var decode: LatencySummary
    /// Detection time that the server reports.
    package var detect: LatencySummary
    /// Recognition time that the server reports.
    package var recognize: LatencySummary

    init(_ figures: ReplayStatistics) {
        self.sinceDue = LatencySummary(figures.endToEnd)
        self.sinceSent = LatencySummary(figures.sinceSent)
        self.wire = LatencySummary(figures.wire)
        self.server = LatencySummary(figures.server)
        self.queue = LatencySummary(figures.queue)
        self.decode = LatencySummary(figures.decode)
        self.detect = LatencySummary(figures.detect)
        self.recognize = LatencySummary(figures.recognize)
    }

    /// Parts with their names, indented by nesting.
    var rows: [(name: String, summary: LatencySummary)] {
        [
            ("since due", self.sinceDue),
            ("since sent", self.sinceSent),
            ("  sockets, network", self.wire),
            ("  server", self.server),
            ("    queue", self.queue),
            ("    decode", self.decode),
            ("    detect", self.detect),
            ("    recognize", self.recognize),
        ]
    }
}
