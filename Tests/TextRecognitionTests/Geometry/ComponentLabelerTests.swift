import SeededRandom
import Testing

@testable import TextRecognition

@Suite struct ComponentLabelerTests {
    /// A map of numbers with rows that may be longer than the labelled part.
    private struct Map {
        var values: [Float]
        var width: Int
        var height: Int
        var stride: Int

        /// Creates a map in which `#` is 1 and the rest 0; the padding is 1 too, and must be ignored.
        init(_ art: String, padding: Int = 0) {
            let rows = art.split(separator: "\n")
            self.width = rows.first?.count ?? 0
            self.height = rows.count
            self.stride = self.width + padding
            self.values = rows.flatMap { row in
                row.map { $0 == "#" ? 1 : 0 } + [Float](repeating: 1, count: padding)
            }
        }

        init(noise random: inout SplitMix64, width: Int, height: Int, density: Float) {
            (self.width, self.height, self.stride) = (width, height, width + Int.random(in: 0...20, using: &random))
            self.values = (0..<height * self.stride).map { _ in
                Float.random(in: 0...1, using: &random) < density ? 0.8 : 0.2
            }
        }

        /// Component number of each pixel by the labeler under test; -1 for none.
        func labelled(above threshold: Float = 0.5, longestRun: Int = .max) -> [Int] {
            var labeler = ComponentLabeler()
            return self.labelled(by: &labeler, above: threshold, longestRun: longestRun)
        }

        func labelled(by labeler: inout ComponentLabeler, above threshold: Float = 0.5, longestRun: Int = .max) -> [Int]
        {
            labeler.label(
                self.values,
                width: self.width,
                height: self.height,
                stride: self.stride,
                above: threshold,
                longestRun: longestRun
            )
            var labels = [Int](repeating: -1, count: self.width * self.height)
            for component in 0..<labeler.componentCount {
                var previous = (row: -1, end: 0)
                for run in labeler.runs(of: component) {
                    let (row, first, end) = (Int(run.row), Int(run.first), Int(run.end))
                    #expect((previous.row, previous.end) < (row, first), "runs come row by row")
                    previous = (row, end)
                    for x in first..<end { labels[row * self.width + x] = component }
                }
            }
            return labels
        }

        /// The same by flood fill, with components numbered in raster order.
        func flooded(above threshold: Float = 0.5, longestRun: Int = .max) -> [Int] {
            var isSet = (0..<self.height).flatMap { row in
                (0..<self.width).map { self.values[row * self.stride + $0] > threshold }
            }
            for row in 0..<self.height {
                var x = 0
                while x < self.width {
                    var end = x
                    while end < self.width, isSet[row * self.width + end] { end += 1 }
                    if end - x > longestRun { for place in x..<end { isSet[row * self.width + place] = false } }
                    x = max(end, x + 1)
                }
            }
            var labels = [Int](repeating: -1, count: isSet.count)
            var count = 0
            for start in isSet.indices where isSet[start] && labels[start] < 0 {
                var open = [start]
                labels[start] = count
                while let pixel = open.popLast() {
                    let (x, y) = (pixel % self.width, pixel / self.width)
                    for nextY in max(0, y - 1)...min(self.height - 1, y + 1) {
                        for nextX in max(0, x - 1)...min(self.width - 1, x + 1) {
                            let next = nextY * self.width + nextX
                            guard isSet[next], labels[next] < 0 else { continue }
                            labels[next] = count
                            open.append(next)
                        }
                    }
                }
                count += 1
            }
            return labels
        }
    }

    @Test(
        arguments: [
            // Diagonal neighbours in both directions.
            "#.#\n.#.\n#.#",
            // Two arms that join only at the bottom, and only at the top.
            "#...#\n#...#\n#####",
            "#####\n#...#\n#...#",
            // A spiral.
            "#########\n........#\n#######.#\n#.....#.#\n#.###.#.#\n#.#.#.#.#\n#.#...#.#\n#.#####.#\n#.......#\n#########",
            // A comb whose teeth are numbered before its back joins them.
            "#.#.#.#.#\n#.#.#.#.#\n#########",
            // W: joined in two places, in either order.
            "#...#...#\n.#.#.#.#.\n..#...#..",
            // A ring around a dot.
            "#####\n#...#\n#.#.#\n#...#\n#####",
            // Pixels of neighbouring rows at a gap of one column.
            "#..\n..#",
        ]
    )
    func shapesAreLabelledAsByFloodFill(art: String) {
        for padding in [0, 1, 7] {
            let map = Map(art, padding: padding)
            #expect(map.labelled() == map.flooded())
        }
    }

    @Test func aSpiralIsOneComponentAndARingAroundADotTwo() {
        #expect(Set(Map("####\n...#\n##.#\n#..#\n####").labelled()) == [-1, 0])
        #expect(Set(Map("#####\n#...#\n#.#.#\n#...#\n#####").labelled()) == [-1, 0, 1])
    }

    @Test func randomMapsAreLabelledAsByFloodFill() {
        var random = SplitMix64(9)
        var labeler = ComponentLabeler()
        for width in [1, 2, 3, 15, 16, 17, 31, 32, 33, 48, 61] {
            for density in [0.05, 0.3, 0.45, 0.6, 0.95] as [Float] {
                let map = Map(
                    noise: &random,
                    width: width,
                    height: .random(in: 1...40, using: &random),
                    density: density
                )
                // One labeler for all maps: content of an earlier one must not show.
                #expect(map.labelled(by: &labeler) == map.flooded())
            }
        }
    }

    @Test(arguments: [1, 2, 3, 8])
    func runsThatAreTooLongAreLeftOut(longestRun: Int) {
        var random = SplitMix64(10)
        for density in [0.3, 0.6, 0.8] as [Float] {
            let map = Map(noise: &random, width: 40, height: 30, density: density)
            #expect(map.labelled(longestRun: longestRun) == map.flooded(longestRun: longestRun))
        }
    }

    @Test func runsThatAreExcludedAreReported() {
        let map = Map(
            """
            ####.####.
            .##.......
            #########.
            """
        )
        var labeler = ComponentLabeler()
        for _ in 0..<2 {
            _ = map.labelled(by: &labeler, longestRun: 3)
            #expect(labeler.longRuns.map { [$0.row, $0.first, $0.end] } == [[0, 0, 4], [0, 5, 9], [2, 0, 9]])
            #expect(labeler.componentCount == 1)
        }
    }

    @Test func runsReachTheEndsOfTheirRows() {
        let map = Map(String(repeating: "#", count: 35) + "\n" + String(repeating: ".", count: 35), padding: 3)
        var labeler = ComponentLabeler()
        #expect(map.labelled(by: &labeler) == map.flooded())
        let runs = Array(labeler.runs(of: 0))
        #expect(runs.count == 1)
        #expect(runs.first?.first == 0 && runs.first?.end == 35)
    }

    @Test func theThresholdItselfDoesNotBelong() {
        var map = Map("###")
        map.values = [0.5, Float(0.5).nextUp, Float(0.5).nextDown]
        #expect(map.labelled(above: 0.5) == [-1, 0, -1])
    }

    @Test func anEmptyMapAndAFullOneAreNoSpecialCases() {
        let empty = Map(String(repeating: String(repeating: ".", count: 50) + "\n", count: 20))
        #expect(Set(empty.labelled()) == [-1])
        let full = Map(String(repeating: String(repeating: "#", count: 50) + "\n", count: 20))
        #expect(Set(full.labelled()) == [0])
    }

    @Test(arguments: [5, 16, 40], [Float.nan, -.nan, .signalingNaN])
    func whatIsNoNumberBelongsToNothing(width: Int, value: Float) {
        var map = Map(String(repeating: "#", count: width))
        map.values[width / 2] = value
        var expected = [Int](repeating: 0, count: width)
        expected[width / 2] = -1
        for x in (width / 2 + 1)..<width { expected[x] = 1 }
        #expect(map.labelled() == expected)
    }
}
