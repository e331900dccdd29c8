/// One input of a detection network: pieces of resized pictures, side by side.
///
/// A network that knows its input's shape takes two thirds of the time of one whose shape is open, which moreover pays for
/// each change of it; so parts of a frame, which come in all shapes, share inputs of a few.
struct TileAtlas {
    /// A piece of a picture and its place in the input.
    struct Piece {
        /// Which picture.
        var picture: Int
        /// What the piece shows of the resized picture.
        var columns: TileSpan
        var rows: TileSpan
        /// Where in the input it lies: at the top-left of this rectangle, the rest of which stays empty.
        var slot = PixelRect(x: 0, y: 0, width: 0, height: 0)
    }

    /// Of the input.
    let shape: InputShape
    /// Their slots cover the input, and share nothing.
    private(set) var pieces: [Piece] = []

    /// A sheet that shows a single piece.
    init(shape: InputShape, showing piece: Piece) {
        self.init(shape: shape, shelves: [[piece]])
    }

    /// One look at the larger costs three quarters more than one at the smaller.
    private static let small = InputShape(height: 192, width: 320)
    private static let large = InputShape(height: 256, width: 384)
    /// Of inputs for parts of pictures.
    static let partShapes = [Self.small, Self.large]
    /// Columns and rows between two pieces, at least.
    private static let gap = 8

    /// The sheets that show parts of pictures.
    ///
    /// - Parameter sizes: Of the resized parts.
    /// - Returns: Sheets of one shape, the one that costs less.
    static func showing(_ sizes: [(width: Int, height: Int)]) -> [TileAtlas] {
        let fitsSmall = sizes.allSatisfy { $0.width <= Self.small.width && $0.height <= Self.small.height }
        let large = Self.pack(sizes, in: Self.large)
        guard fitsSmall else { return large }
        let small = Self.pack(sizes, in: Self.small)
        return Self.cost(of: small) < Self.cost(of: large) ? small : large
    }

    /// What running the network for sheets costs: the bytes of its inputs.
    static func cost(of sheets: [TileAtlas]) -> Int { sheets.reduce(0) { $0 + $1.shape.byteCount } }

    /// Puts pieces on shelves, the highest first, and shelves on sheets: Coffman et al., Performance bounds for
    /// level-oriented two-dimensional packing algorithms (SIAM Journal on Computing, 1980).
    private static func pack(_ sizes: [(width: Int, height: Int)], in shape: InputShape) -> [TileAtlas] {
        let pieces = sizes.enumerated().flatMap { index, size in
            let columns = TileSpan.covering(size.width, most: shape.width, length: shape.width)
            return TileSpan.covering(size.height, most: shape.height, length: shape.height).flatMap { rows in
                columns.map { Piece(picture: index, columns: $0, rows: rows) }
            }
        }
        let highestFirst = pieces.sorted { $0.rows.length > $1.rows.length }
        let shelves = Self.filled(shape.width, with: highestFirst, length: \.columns.length)
        return Self.filled(shape.height, with: shelves, length: Self.height).map {
            TileAtlas(shape: shape, shelves: $0)
        }
    }

    /// Puts things one after the other on runs of a length, each on the last run if there is room, else on a new one.
    private static func filled<Thing>(_ side: Int, with things: [Thing], length: (Thing) -> Int) -> [[Thing]] {
        var runs: [[Thing]] = []
        var end = side
        for thing in things {
            if end + Self.gap + length(thing) > side {
                runs.append([])
                end = -Self.gap
            }
            runs[runs.count - 1].append(thing)
            end += Self.gap + length(thing)
        }
        return runs
    }

    /// How high a shelf is, on which the highest piece stands first.
    private static func height(of shelf: [Piece]) -> Int { shelf.first?.rows.length ?? 0 }

    /// A sheet on whose shelves pieces share the room that is left.
    private init(shape: InputShape, shelves: [[Piece]]) {
        self.shape = shape
        let heights = Self.shares(of: shape.height, among: shelves.map(Self.height))
        for (shelf, rows) in zip(shelves, heights) {
            let widths = Self.shares(of: shape.width, among: shelf.map(\.columns.length))
            for (var piece, columns) in zip(shelf, widths) {
                piece.slot = PixelRect(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
                self.pieces.append(piece)
            }
        }
    }

    /// Divides a side of the input into slots, each larger by as much than what it is to hold.
    private static func shares(of side: Int, among lengths: [Int]) -> [(start: Int, length: Int)] {
        let spare = side - lengths.reduce(0, +)
        var start = 0
        return lengths.enumerated().map { index, length in
            let share = spare * (index + 1) / lengths.count - spare * index / lengths.count
            defer { start += length + share }
            return (start, length + share)
        }
    }
}
