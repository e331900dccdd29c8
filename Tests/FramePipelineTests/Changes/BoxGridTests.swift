import SeededRandom
import Testing
import TextModel

@testable import FramePipeline

@Suite struct BoxGridTests {
    private static func grid(_ boxes: [Quad]) -> BoxGrid {
        var grid = BoxGrid()
        for (index, box) in boxes.enumerated() { grid.insert(box, as: index) }
        return grid
    }

    /// A box of up to `size`, upright or aslant, in a picture of 1000 x 1000.
    private static func box(upTo size: Float, using random: inout SplitMix64) -> Quad {
        let (x, y) = (Float.random(in: 0...1000, using: &random), Float.random(in: 0...1000, using: &random))
        let (width, height) = (Float.random(in: 1...size, using: &random), Float.random(in: 1...size, using: &random))
        let slope = Bool.random(using: &random) ? 0 : Float.random(in: -1...1, using: &random)
        return Quad(x: 0, y: 0, width: width, height: height).mapCorners {
            Point(x: x + $0.x - slope * $0.y, y: y + $0.y + slope * $0.x)
        }
    }

    @Test func everyBoxThatOverlapsIsFound() {
        var random = SplitMix64(7)
        for size in [5, 50, 900] as [Float] {
            let boxes = (0..<300).map { Self.box(upTo: $0 % 10 == 0 ? size : 20, using: &random) }
            let grid = Self.grid(boxes)
            for _ in 0..<100 {
                let box = Self.box(upTo: size, using: &random)
                let overlapping = boxes.indices.filter { boxes[$0].intersectionArea(with: box) > 0 }
                let found = grid.neighbours(of: box)
                #expect(Set(found).isSuperset(of: overlapping))
                #expect(found == found.sorted())
            }
        }
    }

    @Test func aLetterOfAPageHasFewNeighbours() {
        let boxes = (0..<5000).map { index -> Quad in
            let (column, row) = (index % 100, index / 100)
            return Quad(x: Float(10 * column), y: Float(20 * row), width: 8, height: 15)
        }
        let grid = Self.grid(boxes + [Quad(x: 0, y: 0, width: 1000, height: 1000)])
        for box in boxes { #expect(grid.neighbours(of: box).count < 20) }
    }

    @Test(arguments: [0, 1e-30, 1e30, .infinity, .nan] as [Float])
    func boxesThatNoPictureHasDoNoHarm(side: Float) {
        let (odd, letter) = (Quad(x: -side, y: side, width: side, height: 1), Quad(x: 0, y: 0, width: 8, height: 15))
        let grid = Self.grid([odd, letter])
        #expect(grid.neighbours(of: letter).contains(1))
        #expect(grid.neighbours(of: odd).count <= 2)
    }
}
