/// Bad clients that are to be beside the good ones.
package struct FaultPlan: Sendable, Equatable {
    /// How many connections send frames and hardly read what comes back.
    package var slowReaders = 0
    /// After how many bytes of the session connections are cut, one after the other; `nil` for none.
    package var cutAfter: Int?
    /// How many connections a second are made and closed again at once.
    package var reconnects = 0
    /// Which part of the frames of one more connection has damaged payloads, 0...1.
    package var corrupt = 0.0
    /// Where chance begins.
    package var seed: UInt64 = 1

    /// No bad client.
    package init() {}

    /// Whether there is no bad client.
    package var isEmpty: Bool {
        self.slowReaders == 0 && self.cutAfter == nil && self.reconnects == 0 && self.corrupt == 0
    }
}
