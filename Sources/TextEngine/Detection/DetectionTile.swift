/// One of the inputs in which a picture is looked at that is too large for a single one.
///
/// Tiles overlap, so that a network sees what surrounds all of the picture that it is asked about; of its map only the inner
/// part is kept.
struct DetectionTile {
    /// A tile's columns, or its rows, in pixels of the resized picture.
    struct Span: Equatable {
        var start: Int
        var length: Int
        /// Those of which the map is kept.
        var kept: Range<Int>
    }

    var columns: Span
    var rows: Span

    /// Sides up to this fit one input.
    static let mostLength = 1984
    /// The sides of tiles where there are several.
    static let length = 1024
    /// Pixels that neighbours share.
    static let overlap = 128

    /// The spans that cover `length` pixels; their kept parts lie side by side.
    static func spans(of length: Int) -> [Span] {
        guard length > Self.mostLength else { return [Span(start: 0, length: length, kept: 0..<length)] }
        let step = Self.length - Self.overlap
        let count = (length - Self.overlap + step - 1) / step
        var end = 0
        return (0..<count).map { index in
            let start = min(index * step, length - Self.length)
            let next = index + 1 < count ? start + Self.length - Self.overlap / 2 : length
            defer { end = next }
            return Span(start: start, length: Self.length, kept: end..<next)
        }
    }
}
