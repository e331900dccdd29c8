/// Body of a request.
struct RequestBody: Sendable {
    /// The bytes, decompressed.
    let bytes: [UInt8]
    /// The time of the last one, as it was sent.
    let received: ContinuousClock.Instant
}
