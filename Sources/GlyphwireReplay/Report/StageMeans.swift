/// Where the time of a frame goes on average, from when it is due to its result, in milliseconds.
package struct StageMeans: Sendable, Codable, Equatable {
    /// The stages in the order in which a frame passes them.
    package static let names = [
        "waiting to be sent", "sockets and network", "server: queue", "server: decode", "server: detect",
        "server: recognize", "server: other",
    ]

    /// From when the frame was due to when the socket took it.
    package var held: Double
    /// Sockets, network, and waiting for the server to read.
    package var wire: Double
    /// In the server's queue.
    package var queue: Double
    /// Payload to pixels.
    package var decode: Double
    /// Finding where text is.
    package var detect: Double
    /// Reading it.
    package var recognize: Double
    /// What the server counts to none of its stages.
    package var other: Double

    /// Means that are known already.
    init(
        held: Double,
        wire: Double,
        queue: Double,
        decode: Double,
        detect: Double,
        recognize: Double,
        other: Double
    ) {
        self.held = held
        self.wire = wire
        self.queue = queue
        self.decode = decode
        self.detect = detect
        self.recognize = recognize
        self.other = other
    }

    init(_ figures: ReplayStatistics) {
        self.wire = figures.wire.meanMilliseconds
        self.queue = figures.queue.meanMilliseconds
        self.decode = figures.decode.meanMilliseconds
        self.detect = figures.detect.meanMilliseconds
        self.recognize = figures.recognize.meanMilliseconds
        self.held = max(figures.endToEnd.meanMilliseconds - figures.sinceSent.meanMilliseconds, 0)
        let known = self.queue + self.decode + self.detect + self.recognize
        self.other = max(figures.server.meanMilliseconds - known, 0)
    }

    /// The means in the order of ``names``.
    package var values: [Double] {
        [self.held, self.wire, self.queue, self.decode, self.detect, self.recognize, self.other]
    }
}
