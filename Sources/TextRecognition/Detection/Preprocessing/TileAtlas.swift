/// A tile atlas: one network input that holds tiles of scaled regions side by side.
///
/// The second stage of ``TextDetector``. It takes the sizes of scaled regions, in pixels of their probability maps, and gives
/// the slots of their tiles in inputs. A network compiled for a fixed shape takes two thirds of the time of one with a
/// dynamic shape, which also pays for each change of shape. So parts of a frame, which come in all shapes, share inputs of a few.
struct TileAtlas {
    /// A tile of a scaled region and its slot in the input.
    struct Tile {
        /// The index of the region.
        var region: Int
        /// The columns of the scaled region that the tile shows.
        var columns: TileSpan
        /// The rows of the scaled region that the tile shows.
        var rows: TileSpan
        /// Least padding on each side of the tile, in the colour of its border.
        var margin = (x: 0, y: 0)
        /// The slot in the input: the tile lies at its top left, within ``margin``, the rest is padding.
        var slot = PixelRect(x: 0, y: 0, width: 0, height: 0)

        /// Where the tile lies in the input.
        var content: PixelRect {
            PixelRect(
                x: self.slot.x + self.margin.x,
                y: self.slot.y + self.margin.y,
                width: self.columns.length,
                height: self.rows.length
            )
        }
    }

    /// The shape of the input.
    let shape: InputShape
    /// The tiles, whose slots cover the input without overlap.
    private(set) var tiles: [Tile] = []

    /// The smaller shape of inputs for parts, for few or small ones.
    ///
    /// Compiled for it, the *tiny* network takes 3.1 ms, and 4.5 ms with a dynamic shape.
    private static let small = InputShape(height: 192, width: 320)
    /// The larger shape of inputs for parts.
    ///
    /// A run takes three quarters more time than one of ``small``. With both, the detector's share of a frame before a fixed
    /// camera fell from 8.6 to 4.8 ms (streams log, *Earlier experiments*). Other shapes were not measured.
    private static let large = InputShape(height: 256, width: 384)
    /// The shapes of inputs for parts of a region.
    static let partShapes = [Self.small, Self.large]
    /// Minimum padding between two tiles, in pixels, which keeps their lines apart.
    ///
    /// Not measured.
    private static let gap = 8

    /// An atlas of a single tile.
    init(shape: InputShape, tile: Tile) {
        self.init(shape: shape, shelves: [[tile]])
    }

    /// Packs scaled regions into atlases of one of ``partShapes``, whichever costs less.
    ///
    /// - Parameter sizes: The sizes of the scaled regions.
    /// - Returns: Atlases of one shape.
    static func packing(_ sizes: [(width: Int, height: Int)]) -> [TileAtlas] {
        let fitsSmall = sizes.allSatisfy { $0.width <= Self.small.width && $0.height <= Self.small.height }
        let large = Self.pack(sizes, into: Self.large)
        guard fitsSmall else { return large }
        let small = Self.pack(sizes, into: Self.small)
        return Self.cost(of: small) < Self.cost(of: large) ? small : large
    }

    /// Returns the factor by which a scaled region has to be smaller to fit into a single input for parts.
    static func reduction(of size: (width: Int, height: Int)) -> Float {
        max(Float(size.width) / Float(Self.large.width), Float(size.height) / Float(Self.large.height))
    }

    /// Returns the cost of running the network for atlases, which goes with the bytes of its inputs.
    static func cost(of atlases: [TileAtlas]) -> Int { atlases.reduce(0) { $0 + $1.shape.byteCount } }

    /// Packs tiles by next-fit decreasing height: tiles on shelves, the highest first, and shelves in atlases.
    ///
    /// Coffman, Garey, Johnson and Tarjan, Performance bounds for level-oriented two-dimensional packing algorithms (SIAM
    /// Journal on Computing 9, 1980).
    private static func pack(_ sizes: [(width: Int, height: Int)], into shape: InputShape) -> [TileAtlas] {
        let tiles = sizes.enumerated().flatMap { index, size in
            let columns = TileSpan.covering(size.width, maxLength: shape.width, tileLength: shape.width)
            return TileSpan.covering(size.height, maxLength: shape.height, tileLength: shape.height).flatMap { rows in
                columns.map { Tile(region: index, columns: $0, rows: rows) }
            }
        }
        let highestFirst = tiles.sorted { $0.rows.length > $1.rows.length }
        let shelves = Self.nextFit(highestFirst, side: shape.width, length: \.columns.length)
        return Self.nextFit(shelves, side: shape.height, length: Self.height).map {
            TileAtlas(shape: shape, shelves: $0)
        }
    }

    /// Puts each item into the last bin where there is room, and into a new one where there is none.
    private static func nextFit<Item>(_ items: [Item], side: Int, length: (Item) -> Int) -> [[Item]] {
        var bins: [[Item]] = []
        var end = side
        for item in items {
            if end + Self.gap + length(item) > side {
                bins.append([])
                // The first item of a bin needs no gap before it.
                end = -Self.gap
            }
            bins[bins.count - 1].append(item)
            end += Self.gap + length(item)
        }
        return bins
    }

    /// Returns the height of a shelf, on which the highest tile comes first.
    private static func height(of shelf: [Tile]) -> Int { shelf.first?.rows.length ?? 0 }

    /// An atlas on whose shelves tiles share the room that is left.
    private init(shape: InputShape, shelves: [[Tile]]) {
        self.shape = shape
        for shelf in Self.spread(shelves, over: shape.height, length: Self.height) {
            for cell in Self.spread(shelf.item, over: shape.width, length: \.columns.length) {
                var tile = cell.item
                tile.slot = PixelRect(x: cell.start, y: shelf.start, width: cell.length, height: shelf.length)
                self.tiles.append(tile)
            }
        }
    }

    /// An item and its interval of a side of the input.
    private struct Allotted<Item> {
        let item: Item
        let start: Int
        let length: Int
    }

    /// Divides a side of the input among items: each gets its length and an equal share of the rest.
    private static func spread<Item>(_ items: [Item], over side: Int, length: (Item) -> Int) -> [Allotted<Item>] {
        let spare = side - items.reduce(0) { $0 + length($1) }
        var start = 0
        return items.enumerated().map { index, item in
            // Differences of rounded sums, so that the shares add up to the spare room.
            let share = spare * (index + 1) / items.count - spare * index / items.count
            let allotted = Allotted(item: item, start: start, length: length(item) + share)
            start += allotted.length
            return allotted
        }
    }
}
