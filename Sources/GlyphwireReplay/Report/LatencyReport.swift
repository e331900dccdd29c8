/// How long frames took that were read, as a whole and in parts.
package struct LatencyReport: Sendable, Codable, Equatable {
    /// From when a frame was due to its result.
    package var sinceDue: LatencySummary
    /// From sending a frame to its result, which a slow server can make appear short.
    package var sinceSent: LatencySummary
    /// Of the latter what is not the server's: sockets, network, and waiting for the server to read.
    package var wire: LatencySummary
    /// All that the server says it took.
    package var server: LatencySummary
    /// What the server says of a stage.
    package var queue: LatencySummary
    /// What the server says of a stage.
    package var decode: LatencySummary
    /// What the server says of a stage.
    package var detect: LatencySummary
    /// What the server says of a stage.
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

    /// The parts with their names, indented as they are parts of each other.
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
