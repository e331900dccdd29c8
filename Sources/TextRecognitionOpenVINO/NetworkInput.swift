internal import TextRecognition

/// Input for which a network is compiled: batch size, height and width.
struct NetworkInput: Hashable, Sendable {
    /// Value that stands for any batch size, height or width.
    static let dynamic = 0

    var batchSize: Int
    var height: Int
    var width: Int

    /// Whether any dimension is dynamic.
    var isDynamic: Bool { [self.batchSize, self.height, self.width].contains(Self.dynamic) }
}
