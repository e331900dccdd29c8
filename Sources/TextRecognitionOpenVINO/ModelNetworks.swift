internal import TextRecognition

/// Networks of one model.
///
/// OpenVINO's own caches grow with every new input shape, so callers keep to a few shapes.
struct ModelNetworks: Sendable {
    let model: ModelCompiler
    let pool: NetworkPool

    /// Creates a network for `input` if there is none and memory for it.
    func prepare(for input: NetworkInput) throws(OpenVINOError) { try self.pool.prepare(self.model, for: input) }

    /// Runs `body` with exclusive use of a network.
    func withNetwork<Value>(
        for input: NetworkInput,
        _ body: (Network) throws(OpenVINOError) -> Value
    ) throws(OpenVINOError) -> Value {
        try self.pool.withNetwork(of: self.model, for: input, body)
    }
}
