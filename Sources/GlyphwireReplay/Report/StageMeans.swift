/// Mean times of a frame's stages from due to result, in milliseconds.
package struct StageMeans: Sendable, Codable, Equatable {
    /// Names of the stages, in order.
    package static let names = [
        "waiting to be sent", "sockets and network", "server: queue", "server: decode", "server: detect",
        "server: recognize", "server: other",
    ]

    /// Time from when the frame was due until it was written to the socket.
    package var held: Double
    /// Time in sockets and network, and waiting for the server to read.
    package var wire: Double
    /// Time in the server's queue.
    package var queue: Double
    /// Time to decode the payload.
    package var decode: Double
    /// Time of text detection.
    package var detect: Double
    /// Time of text recognition.
    package var recognize: Double
    /// Time in the server outside its stages.
    package var other: Double

    /// Creates means from known values.
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

    /// Means in the order of ``names``.
    package var values: [Double] {
        [self.held, self.wire, self.queue, self.decode, self.detect, self.recognize, self.other]
    }
}
