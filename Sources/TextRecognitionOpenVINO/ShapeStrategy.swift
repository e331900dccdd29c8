internal import TextRecognition

/// Strategy by which input shapes share compiled networks.
///
/// A network that knows its input's shape is faster, the more so the smaller it is, and changes from one shape to the next
/// at no cost. It also takes memory, and time to compile.
enum ShapeStrategy: String, Sendable {
    /// A network for each shape.
    case eachShape
    /// A network for each width of lines, and some for several lines together.
    case eachWidth
    /// One network for lines of all widths, on which several lines go through together. What it has not met before costs it a
    /// fraction of a compilation, and small models take half as long again for each line.
    case openWidth
    /// The same, and lines go through one by one, of which the network remembers half as much.
    case openWidthOneByOne

    /// What the network is compiled for that `count` pictures of a shape run on, or the first of them.
    func input(for shape: InputShape, count: Int = 1) -> NetworkInput {
        let open = NetworkInput.open
        return switch self {
        case .eachShape: NetworkInput(batchSize: 1, height: shape.height, width: shape.width)
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

    /// Whether each network knows its input's shape.
    var hasFixedShapes: Bool { self == .eachShape || self == .eachWidth }

    /// The inputs of all networks on which lines run.
    var lineInputs: Set<NetworkInput> {
        let inputs = LineRecognizer.widths.flatMap { width in
            [1, LineRecognizer.mostLines].map { count in
                self.input(for: InputShape(height: LineRecognizer.height, width: width), count: count)
            }
        }
        return Set(inputs)
    }

    /// The input for which a network is compiled, of which the one for `input` and all others are imported; see
    /// ``ExportedNetwork``.
    ///
    /// A network for lines of one width would have numbers in it that hold for that width alone.
    func template(for input: NetworkInput) -> NetworkInput {
        switch self {
        case .eachWidth: NetworkInput(batchSize: NetworkInput.open, height: input.height, width: NetworkInput.open)
        case .eachShape, .openWidth, .openWidthOneByOne: input
        }
    }

    /// The batch size of a network of a fixed width.
    private static func batchSize(_ count: Int, width: Int) -> Int {
        // A place that stays empty costs less than two runs more.
        width <= NetworkInput.widestBatch && count + 1 >= LineRecognizer.mostLines ? LineRecognizer.mostLines : 1
    }
}
