internal import TextRecognition

/// Input for which a network is compiled: batch size, height and width.
struct NetworkInput: Hashable, Sendable {
    /// Value that stands for any batch size, height or width.
    static let open = 0

    var batchSize: Int
    var height: Int
    var width: Int

    /// Maximum width of pictures in batches; wider ones gain too little for the memory and input shapes they need.
    static let widestBatch = 240

    /// Whether any dimension is open.
    var isOpen: Bool { [self.batchSize, self.height, self.width].contains(Self.open) }

    /// Maximum batch size for pictures of a width.
    func maxBatchSize(width: Int) -> Int {
        guard self.batchSize == Self.open else { return self.batchSize }
        return width <= Self.widestBatch ? LineRecognizer.maxLines : 1
    }
}
