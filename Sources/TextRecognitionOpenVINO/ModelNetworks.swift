internal import TextRecognition

/// The networks of one model.
///
/// OpenVINO's own caches grow with every new input shape, so callers keep to a few shapes.
struct ModelNetworks: Sendable {
    let model: LoadedModel
    let pool: NetworkPool

    /// Has a network made where there is none.
    func prepare(for input: NetworkInput) throws(OpenVINOError) { try self.withNetwork(for: input) { _ in } }

    /// Runs `body` with a network that nobody else uses meanwhile.
    func withNetwork<Value>(
        for input: NetworkInput,
        _ body: (Network) throws(OpenVINOError) -> Value
    ) throws(OpenVINOError) -> Value {
        try self.pool.withNetwork(of: self.model, for: input, body)
    }
}
