internal import TextRecognition

/// Input for which a network is compiled: batch size, height and width.
struct NetworkInput: Hashable, Sendable {
    /// Value that stands for any batch size, height or width.
    static let open = 0

    var batchSize: Int
    var height: Int
    var width: Int

    /// Whether any dimension is open.
    var isOpen: Bool { [self.batchSize, self.height, self.width].contains(Self.open) }
}
