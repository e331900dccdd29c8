internal import TextModel

/// Size of a line once it is rectified to the height of the recognizer's input.
package struct LineSize {
    /// Height of a rectified line, that of the network's input.
    package static let height = 48
    /// Widths of the network's inputs, in ascending order.
    ///
    /// A line takes the narrowest that holds it once it is squeezed by ``Tuning/narrowing`` at most. A network can be compiled
    /// for each of them. Narrower than 96 the small model misreads RF as RE; sixteen widths instead of twelve save no time
    /// (accuracy log, *Tiny in int8, a network per width, and a cascade budget*).
    package static let inputWidths = [96, 128, 176, 240, 320, 432, 576, 720, 960, 1200, 1600, 2400]
    /// Widest line that is read in one piece.
    private static let maxWholeWidth = Int(Float(inputWidths[inputWidths.count - 1]) * Tuning.narrowing)
    /// Greatest mean width of the sections of a wider line; a single one may be half as wide again.
    ///
    /// Other widths were not measured (accuracy log, *Lines wider than the recognizer's input*).
    private static let sectionWidth = 1920

    private enum Tuning {
        /// Ratio by which a line may exceed an input and is squeezed into it.
        ///
        /// A margin costs as much time as text. Found on scenes, forms, receipts, pages and web graphics: 1.2 takes 0.03 of
        /// the time less than 1.1 (accuracy log, *Tighter line boxes*). 1.1 to 1.16 were compared before (accuracy log, *Narrowing lines
        /// that barely exceed an input*).
        static let narrowing: Float = 1.2
        /// Most sections of a line, which beyond them is squeezed; not measured.
        static let maxSections = 24
        /// Least width of a line: one time step of the network.
        static let minWidth = 8
    }

    /// Width, up to that of all sections.
    let width: Int

    /// Takes the size of a quad with its corners in reading direction.
    init(_ quad: Quad) {
        let width = quad.width / max(quad.height, 1) * Float(Self.height)
        let widths = Tuning.minWidth...Tuning.maxSections * Self.sectionWidth
        self.width = Int(clamping: width.rounded(), to: widths)
    }

    /// Width of the network's input for the line.
    var inputWidth: Int {
        Self.inputWidths.first { Float($0) * Tuning.narrowing >= Float(self.width) }
            ?? Self.inputWidths[Self.inputWidths.count - 1]
    }

    /// Width in the network's input, into which the line is squeezed where it exceeds it.
    var recognizedWidth: Int { min(self.width, self.inputWidth) }

    /// Whether the line is read in one piece.
    var isWhole: Bool { self.width <= Self.maxWholeWidth }

    /// Number of sections in which the line is recognized.
    var sectionCount: Int { self.isWhole ? 1 : (self.width + Self.sectionWidth - 1) / Self.sectionWidth }
}
