internal import TextEngine

/// What a network is compiled for: so many pictures at a time, of so many rows and columns.
struct NetworkInput: Hashable, Sendable {
    /// Stands for every number of pictures, rows or columns.
    static let open = 0

    var pictures: Int
    var height: Int
    var width: Int

    /// Pictures that it takes at a time at most.
    var mostPictures: Int { self.pictures == Self.open ? LineRecognizer.mostLines : self.pictures }
}
