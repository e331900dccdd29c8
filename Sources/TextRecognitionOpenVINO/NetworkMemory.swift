/// Measured memory of a network, by which ``NetworkPool`` accounts for it.
struct NetworkMemory: Sendable {
    /// Bytes of a network with a fixed shape: reordered weights and generated code.
    let fixed: Int
    /// Bytes per input pixel for intermediate values.
    let eachPixel: Int
    /// Bytes of a network with open sides, after inputs of all shapes ran one by one; `nil` if unused.
    var open: Int?

    /// Estimated bytes of a network for `input`.
    func bytes(for input: NetworkInput) -> Int {
        guard input.isOpen, let open = self.open else {
            return self.fixed + self.eachPixel * input.batchSize * input.height * input.width
        }
        // Batches of narrow lines have shapes of their own: sixteen beside twelve.
        return input.batchSize == NetworkInput.open ? open * 4 / 3 : open
    }
}
