internal import TextEngine

/// What a network is compiled for: so many pictures at a time, of so many rows and columns.
struct NetworkInput: Hashable, Sendable {
    /// Stands for every number of pictures, rows or columns.
    static let open = 0

    var pictures: Int
    var height: Int
    var width: Int

    /// Columns of pictures that go through a network together where their number is open: a few very wide ones would have it
    /// take several times as much memory from then on.
    private static let mostColumns = 4 * 720

    /// How many pictures of some width it takes at a time at most.
    func mostPictures(width: Int) -> Int {
        guard self.pictures == Self.open else { return self.pictures }
        return max(1, min(LineRecognizer.mostLines, Self.mostColumns / max(1, width)))
    }
}
