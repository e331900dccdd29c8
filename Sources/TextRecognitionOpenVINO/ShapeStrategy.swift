internal import TextRecognition

/// Strategy by which input shapes share compiled networks.
///
/// A network with a fixed input shape is faster, especially a small one, and needs no change between shapes. It also
/// takes memory, and time to compile. Raw values are part of the keys of ``NetworkCache``.
enum ShapeStrategy: String, Sendable {
    /// A network per shape.
    case eachShape
    /// One network for single pictures of all shapes.
    case dynamicShape = "openShape"
    /// A network per narrow line width, some for batches of them, and one for all wide lines.
    ///
    /// One for all widths needs 1.2 ms more for a change of shape and 0.3 ms more for each run (*tiny*), as much as narrow lines
    /// take themselves (accuracy log, *Fewer shapes for lines*).
    case eachNarrowWidth
    /// One network for lines of all widths, and batches of the narrow ones.
    case dynamicWidth = "openWidth"
    /// One network for single lines of all widths, which caches fewer shapes.
    case dynamicWidthOneByOne = "openWidthOneByOne"

    /// Maximum width of narrow lines.
    ///
    /// Wider ones gain too little from batches, and from networks of their own, for the memory that these take.
    static let maxNarrowWidth = 240

    /// Number of pictures of a shape that run together, the first of `count`; fewer than a batch are padded.
    ///
    /// There are no batches of two or three: each size is one more shape, for which a dynamic network keeps kernels, and an empty
    /// batch entry costs less than two more runs.
    func batchSize(_ count: Int, width: Int) -> Int {
        switch self {
        case .eachShape, .dynamicShape, .dynamicWidthOneByOne: 1
        case .eachNarrowWidth, .dynamicWidth:
            width <= Self.maxNarrowWidth && count + 1 >= LineRecognizer.maxLines ? LineRecognizer.maxLines : 1
        }
    }

    /// Input of the network that runs the first of `count` pictures of a shape.
    func input(for shape: InputShape, count: Int = 1) -> NetworkInput {
        let dynamic = NetworkInput.dynamic
        return switch self {
        case .eachShape: NetworkInput(batchSize: 1, height: shape.height, width: shape.width)
        case .dynamicShape: NetworkInput(batchSize: 1, height: dynamic, width: dynamic)
        case .eachNarrowWidth where shape.width <= Self.maxNarrowWidth:
            NetworkInput(
                batchSize: self.batchSize(count, width: shape.width),
                height: shape.height,
                width: shape.width
            )
        case .dynamicWidth: NetworkInput(batchSize: dynamic, height: shape.height, width: dynamic)
        case .eachNarrowWidth, .dynamicWidthOneByOne: NetworkInput(batchSize: 1, height: shape.height, width: dynamic)
        }
    }

    /// Whether networks of several input shapes are imported from one.
    var importsShapes: Bool { self == .eachShape || self == .eachNarrowWidth }

    /// Inputs of all networks for lines: the dynamic one first, then those of a width, the narrowest first.
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
        case .eachNarrowWidth:
            NetworkInput(batchSize: NetworkInput.dynamic, height: input.height, width: NetworkInput.dynamic)
        case .eachShape, .dynamicShape, .dynamicWidth, .dynamicWidthOneByOne: input
        }
    }
}
