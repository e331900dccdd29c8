internal import TextRecognition

/// What a network is compiled for: so many pictures at a time, of so many rows and columns.
struct NetworkInput: Hashable, Sendable {
    /// Stands for every number of pictures, rows or columns.
    static let open = 0

    var pictures: Int
    var height: Int
    var width: Int

    /// Wider pictures gain too little by going through a network together for the memory and for the shapes of input that it
    /// takes.
    static let mostSharedWidth = 240

    /// Whether any of it is open.
    var isOpen: Bool { [self.pictures, self.height, self.width].contains(Self.open) }

    /// How many pictures of some width it takes at a time at most.
    func mostPictures(width: Int) -> Int {
        guard self.pictures == Self.open else { return self.pictures }
        return width <= Self.mostSharedWidth ? LineRecognizer.mostLines : 1
    }
}
