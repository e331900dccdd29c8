internal import TextRecognition

/// Strategy by which input shapes share compiled networks.
///
/// A network with a fixed input shape is faster, especially a small one, and needs no change between shapes. It also
/// takes memory, and time to compile.
enum ShapeStrategy: String, Sendable {
    /// A network per shape.
    case eachShape
    /// One network for single pictures of all shapes.
    case openShape
    /// A network per line width, and some for batches of lines.
    case eachWidth
    /// One network for batches of lines of all widths.
    ///
    /// A new shape costs a fraction of a compilation, and small models take half as long again per line.
    case openWidth
    /// One network for single lines of all widths, which caches half as many shapes.
    case openWidthOneByOne

    /// Input of the network that runs the first of `count` pictures of a shape.
    func input(for shape: InputShape, count: Int = 1) -> NetworkInput {
        let open = NetworkInput.open
        return switch self {
        case .eachShape: NetworkInput(batchSize: 1, height: shape.height, width: shape.width)
        case .openShape: NetworkInput(batchSize: 1, height: open, width: open)
        case .eachWidth:
            NetworkInput(
                batchSize: Self.batchSize(count, width: shape.width),
                height: shape.height,
                width: shape.width
            )
        case .openWidth: NetworkInput(batchSize: open, height: shape.height, width: open)
        case .openWidthOneByOne: NetworkInput(batchSize: 1, height: shape.height, width: open)
        }
    }

    /// Whether each network has a fixed input shape.
    var hasFixedShapes: Bool { self == .eachShape || self == .eachWidth }

    /// Inputs of all networks for lines, the narrowest first.
    var lineInputs: [NetworkInput] {
        let inputs = LineSize.inputWidths.flatMap { width in
            [1, LineRecognizer.maxLines].map { count in
                self.input(for: InputShape(height: LineSize.height, width: width), count: count)
            }
        }
        return Set(inputs).sorted { ($0.width, $0.batchSize) < ($1.width, $1.batchSize) }
    }

    /// Input of the template, the network from which the one for `input` is imported; see ``ExportedNetwork``.
    ///
    /// A network for one line width would contain constants that are valid only for that width.
    func template(for input: NetworkInput) -> NetworkInput {
        switch self {
        case .eachWidth: NetworkInput(batchSize: NetworkInput.open, height: input.height, width: NetworkInput.open)
        case .eachShape, .openShape, .openWidth, .openWidthOneByOne: input
        }
    }

    /// Batch size of a network of a fixed width.
    private static func batchSize(_ count: Int, width: Int) -> Int {
        // An empty batch entry costs less than two more runs.
        width <= NetworkInput.widestBatch && count + 1 >= LineRecognizer.maxLines ? LineRecognizer.maxLines : 1
    }
}
