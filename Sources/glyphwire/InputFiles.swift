internal import ImageCodecs

/// Files of the pictures that are read, none of which an output may replace.
struct InputFiles {
    private let files: Set<FileIdentity>

    /// The files of pictures.
    ///
    /// - Parameter pictures: Their paths; addresses have no file.
    init(_ pictures: [String]) {
        self.files = Set(
            pictures.compactMap { FileIdentity(path: $0 == PictureList.standardInput ? "/dev/stdin" : $0) }
        )
    }

    /// Whether the file at `path` is one of them, under whatever name.
    func contains(_ path: String) -> Bool { FileIdentity(path: path).map { self.files.contains($0) } ?? false }
}
