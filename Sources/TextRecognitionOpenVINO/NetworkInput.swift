internal import TextRecognition

/// Input for which a network is compiled: a batch of pictures of so many rows and columns.
struct NetworkInput: Hashable, Sendable {
    /// Stands for every batch size, number of rows or number of columns.
    static let open = 0

    var batchSize: Int
    var height: Int
    var width: Int

    /// The width of the widest pictures that form batches; wider ones gain too little for the memory and for the shapes of
    /// input that it takes.
    static let widestBatch = 240

    /// Whether any of it is open.
    var isOpen: Bool { [self.batchSize, self.height, self.width].contains(Self.open) }

    /// How many pictures of some width it takes at a time at most.
    func maxBatchSize(width: Int) -> Int {
        guard self.batchSize == Self.open else { return self.batchSize }
        return width <= Self.widestBatch ? LineRecognizer.mostLines : 1
    }
}
