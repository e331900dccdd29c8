import GlyphwireProtocol
import TextModel
import Testing

@testable import TextTracking

@Suite struct ChangeMapTests {
    private static let (width, height) = (160, 120)

    /// Changed cells between a gray surface and the same surface with noise.
    ///
    /// Every pixel is brighter by `noise`, and those of `cells` by so much more.
    private static func changed(noise: UInt8, _ cells: [(column: Int, row: Int, more: UInt8)]) -> Set<Int> {
        var earlier = GrayPlane()
        var later = GrayPlane()
        earlier.resize(width: Self.width, height: Self.height)
        later.resize(width: Self.width, height: Self.height)
        for pixel in 0..<Self.width * Self.height {
            earlier.base[pixel] = 100
            later.base[pixel] = 100 + noise
        }
        for cell in cells {
            for y in 0..<ChangeMap.cell {
                for x in 0..<ChangeMap.cell {
                    let row = cell.row * ChangeMap.cell + y
                    later.base[row * Self.width + cell.column * ChangeMap.cell + x] = 100 + noise + cell.more
                }
            }
        }
        var map = ChangeMap()
        map.compare(earlier, later, brightness: .same)
        #expect(map.changedCount == map.isChanged.count { $0 })
        return Set(map.isChanged.indices.filter { map.isChanged[$0] })
    }

    private static func index(_ column: Int, _ row: Int) -> Int { row * Self.width / ChangeMap.cell + column }

    @Test func noiseIsNoChange() {
        #expect(Self.changed(noise: 3, []).isEmpty)
    }

    @Test func anIsolatedCellThatNoiseMayExplainIsNoChange() {
        // Sums of 16 differences: 48 for noise, so 160 beside another cell and 256 isolated.
        #expect(Self.changed(noise: 3, [(5, 5, 8)]).isEmpty)
        #expect(Self.changed(noise: 3, [(5, 5, 8), (7, 5, 8), (5, 7, 8)]).isEmpty)
        #expect(Self.changed(noise: 3, [(5, 5, 14)]) == [Self.index(5, 5)])
    }

    @Test(arguments: [(1, 0), (0, 1), (1, 1), (-1, 1)]) func twoNeighbouringCellsAreAChange(x: Int, y: Int) {
        let cells = [(column: 5, row: 5, more: UInt8(8)), (5 + x, 5 + y, 8)]
        #expect(Self.changed(noise: 3, cells) == [Self.index(5, 5), Self.index(5 + x, 5 + y)])
    }

    private static func plane(width: Int, _ value: UInt8) -> GrayPlane {
        var plane = GrayPlane()
        plane.resize(width: width, height: Self.height)
        for pixel in 0..<width * Self.height { plane.base[pixel] = value }
        return plane
    }

    @Test func aChangeBelowTheThresholdsIsFaint() {
        let earlier = Self.plane(width: Self.width, 100)
        let later = Self.plane(width: Self.width, 100)
        for y in 40..<48 { for x in 40..<48 { later.base[y * Self.width + x] = 102 } }
        var map = ChangeMap()
        map.compare(earlier, later, brightness: .same)
        #expect(map.changedCount == 0)
        #expect(map.hasFaintlyChanged(in: Quad(Box(left: 40, top: 40, right: 48, bottom: 48))))
        #expect(!map.hasFaintlyChanged(in: Quad(Box(left: 80, top: 40, right: 96, bottom: 48))))
        map.mark(Quad(Box(left: 80, top: 40, right: 88, bottom: 48)))
        #expect(map.hasChanged(in: Quad(Box(left: 80, top: 40, right: 88, bottom: 48))))
    }

    @Test func aFrameThatChangesAsAWholeIsComparedWithTheNoiseOfCalmOnes() {
        let place = Quad(Box(left: 40, top: 40, right: 48, bottom: 48))
        var map = ChangeMap()
        for _ in 0..<3 {
            map.compare(Self.plane(width: Self.width, 100), Self.plane(width: Self.width, 101), brightness: .same)
            #expect(!map.hasFaintlyChanged(in: place))
        }
        map.compare(Self.plane(width: Self.width, 100), Self.plane(width: Self.width, 106), brightness: .same)
        #expect(map.changedCount == 0)
        #expect(map.hasFaintlyChanged(in: place))
    }

    @Test func aFrameThatIsNarrowerByLessThanACellIsComparedByItself() {
        var map = ChangeMap()
        map.compare(Self.plane(width: 160, 100), Self.plane(width: 160, 200), brightness: .same)
        map.compare(Self.plane(width: 156, 100), Self.plane(width: 156, 100), brightness: .same)
        #expect(map.isIdentical)
        #expect(map.changedCount == 0)
    }

    @Test func cellsAtTheEdgesOfTheFrameHaveNeighboursToo() {
        let (right, bottom) = (Self.width / ChangeMap.cell - 1, Self.height / ChangeMap.cell - 1)
        #expect(Self.changed(noise: 3, [(right, 2, 8), (0, 3, 8)]).isEmpty)
        #expect(Self.changed(noise: 3, [(right, bottom, 8), (right, bottom - 1, 8)]).count == 2)
        #expect(Self.changed(noise: 3, [(0, 0, 8), (1, 0, 8)]).count == 2)
    }
}
