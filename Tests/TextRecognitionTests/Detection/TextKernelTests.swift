import Foundation
import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

@Suite struct TextKernelTests {
    /// A kernel of 100 x 10 with an unclip distance of 6, rotated about the map's origin.
    private func kernel(x: Float, y: Float = 0, turn: Float = 0, tilt: Float = 0) -> TextKernel {
        let centre = Point(x: x * cos(turn) - y * sin(turn), y: x * sin(turn) + y * cos(turn))
        let axis = Point(x: cos(turn + tilt), y: sin(turn + tilt))
        return TextKernel(
            rect: RotatedRect(centre: centre, axis: axis, width: 100, height: 10),
            score: 1,
            unclipDistance: 6
        )
    }

    /// Boxes of the lines of some kernels.
    private func lines(of kernels: [TextKernel]) -> [RotatedRect] {
        var kernels = kernels
        TextKernel.limitUnclipping(of: &kernels)
        return kernels.map(\.unclipped)
    }

    /// Ends of a line along the row of its kernel, rotated as in `kernel(x:y:turn:tilt:)`.
    private func ends(of line: RotatedRect, turn: Float = 0) -> [Float] {
        let middle = line.centre.x * cos(turn) + line.centre.y * sin(turn)
        return [middle - line.width / 2, middle + line.width / 2]
    }

    @Test func aLineExceedsItsKernelOnAllSides() {
        let lines = self.lines(of: [self.kernel(x: 0)])
        #expect(lines.map { self.ends(of: $0) } == [[-56, 56]])
        #expect(lines.map(\.height) == [22])
    }

    @Test(arguments: [0, 0.4, -0.7] as [Float]) func neighboursInARowMeetInTheMiddle(turn: Float) {
        let kernels = [self.kernel(x: 0, turn: turn), self.kernel(x: 104, turn: turn), self.kernel(x: 210, turn: turn)]
        let lines = self.lines(of: kernels)
        let expected: [[Float]] = [[-56, 52], [52, 157], [157, 266]]
        for (line, ends) in zip(lines, expected) {
            for (end, wanted) in zip(self.ends(of: line, turn: turn), ends) { #expect(abs(end - wanted) < 0.01) }
            #expect(line.height == 22)
        }
    }

    @Test func theKernelThatGrowsFurtherGetsMoreOfTheGap() {
        let small = self.kernel(x: 0)
        let large = TextKernel(
            rect: RotatedRect(centre: Point(x: 109, y: 0), axis: Point(x: 1, y: 0), width: 100, height: 20),
            score: 1,
            unclipDistance: 12
        )
        #expect(self.lines(of: [small, large]).map { self.ends(of: $0) } == [[-56, 53], [53, 171]])
    }

    @Test func kernelsOutsideTheRowAreNoNeighbours() {
        let kernel = self.kernel(x: 0)
        let others = [
            self.kernel(x: 113), self.kernel(x: 104, y: 12), self.kernel(x: 0, y: 3), self.kernel(x: 90),
            self.kernel(x: 104, tilt: 0.3),
        ]
        for other in others {
            #expect(self.lines(of: [kernel, other]).first.map { self.ends(of: $0) } == [-56, 56])
        }
    }

    @Test func eachLineEndsWhereTheNearestOfAllOthersHasIt() {
        var random = SplitMix64(5)
        let kernels = (0..<60).map { _ in
            self.kernel(
                x: .random(in: 0...600, using: &random),
                y: .random(in: 0...200, using: &random),
                tilt: .random(in: -0.3...0.3, using: &random)
            )
        }
        for (kernel, line) in zip(kernels, self.lines(of: kernels)) {
            let pairs = kernels.compactMap { self.lines(of: [kernel, $0]).first }
            // Ends along the kernel's own axis, from its centre.
            func end(_ line: RotatedRect, _ side: Float) -> Float {
                let (x, y) = (line.centre.x - kernel.rect.centre.x, line.centre.y - kernel.rect.centre.y)
                return side * (x * line.axis.x + y * line.axis.y) + line.width / 2
            }
            for side in [-1, 1] as [Float] {
                let nearest = pairs.map { end($0, side) }.min() ?? 0
                #expect(abs(end(line, side) - nearest) < 0.01)
            }
        }
    }
}
