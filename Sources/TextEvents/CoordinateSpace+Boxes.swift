internal import GlyphwireProtocol
internal import TextModel

extension CoordinateSpace {
    /// Precision of the numbers of a box, as in results.
    var precision: JSONBuilder.Precision { self == .vision ? .fractions : .pixels }

    /// Sign of y for numbers that grow downwards.
    var downwards: Float { self == .vision ? -1 : 1 }
}
