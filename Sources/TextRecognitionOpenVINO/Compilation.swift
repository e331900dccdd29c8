internal import TextRecognition

/// Which inputs a network is compiled for by themselves.
///
/// A network that knows its input's shape is faster, the more so the smaller it is, and changes from one shape to the next
/// at no cost. It also takes memory, and time to compile.
enum Compilation: Sendable {
    /// Each shape.
    case eachShape
    /// Each width of lines, and some for several lines together.
    case eachWidth
    /// No width of lines: they share one network whose width is open, on which several lines go through together. What it has
    /// not met before costs it a fraction of a compilation, and small models take half as long again for each line.
    case openWidth
    /// The same, and lines go through one by one, of which the network remembers half as much.
    case openWidthOneByOne

    /// What the network is compiled for that `count` pictures of a shape run on, or the first of them.
    func input(for shape: InputShape, count: Int = 1) -> NetworkInput {
        let open = NetworkInput.open
        return switch self {
        case .eachShape: NetworkInput(pictures: 1, height: shape.height, width: shape.width)
        case .eachWidth:
            NetworkInput(
                pictures: Self.pictures(count, width: shape.width),
                height: shape.height,
                width: shape.width
            )
        case .openWidth: NetworkInput(pictures: open, height: shape.height, width: open)
        case .openWidthOneByOne: NetworkInput(pictures: 1, height: shape.height, width: open)
        }
    }

    /// The inputs of all networks on which lines run.
    var lineInputs: Set<NetworkInput> {
        let inputs = LineRecognizer.widths.flatMap { width in
            [1, LineRecognizer.mostLines].map { count in
                self.input(for: InputShape(height: LineRecognizer.height, width: width), count: count)
            }
        }
        return Set(inputs)
    }

    /// What the network is compiled for from which the one for `input` and all others are read, `nil` where each is compiled;
    /// see ``ExportedNetwork``.
    ///
    /// A network for lines of one width would have numbers in it that hold for that width alone.
    func template(for input: NetworkInput) -> NetworkInput? {
        switch self {
        case .eachShape: input
        case .eachWidth: NetworkInput(pictures: NetworkInput.open, height: input.height, width: NetworkInput.open)
        case .openWidth, .openWidthOneByOne: nil
        }
    }

    /// How many pictures go through a network of a fixed width together.
    private static func pictures(_ count: Int, width: Int) -> Int {
        // A place that stays empty costs less than two runs more.
        width <= NetworkInput.mostSharedWidth && count + 1 >= LineRecognizer.mostLines ? LineRecognizer.mostLines : 1
    }
}
