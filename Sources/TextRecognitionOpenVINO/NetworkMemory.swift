/// Measured memory of a network, by which ``NetworkPool`` accounts for it.
struct NetworkMemory: Sendable {
    /// Bytes of a network with a fixed shape: reordered weights and generated code.
    let fixed: Int
    /// Bytes per input pixel for intermediate values.
    let eachPixel: Int
    /// Bytes of a network with a dynamic shape, after inputs of all shapes ran one by one; `nil` if unused.
    var dynamic: Int?

    /// Estimated bytes of a network for `input`.
    func bytes(for input: NetworkInput) -> Int {
        guard input.isDynamic, let dynamic = self.dynamic else {
            return self.fixed + self.eachPixel * input.batchSize * input.height * input.width
        }
        // Batches of narrow lines have shapes of their own: sixteen beside twelve.
        return input.batchSize == NetworkInput.dynamic ? dynamic * 4 / 3 : dynamic
    }
}
