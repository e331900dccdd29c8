/// Pages of a TIFF file: its directories, without smaller copies of pages and masks for them.
struct TIFFPages {
    /// Limit of directories that are examined, since those of a file may share their bytes.
    private static let maxDirectories = 1000

    /// The number of pages; 1 of a file without a directory that is marked as one.
    let count: Int
    /// Index among all directories of the one that is read: the first page, or else the first directory.
    let firstIndex: Int
    /// The directory that is read; `nil` if there is none.
    let first: TIFFDirectory?
    /// Whether no directory is a page, and the first one is a preview of its subdirectories, as in the raw files of cameras.
    let isRaw: Bool

    /// Finds the pages of a file.
    init(of file: PeerBytes) {
        var (directories, seen) = ([TIFFDirectory](), Set<Int>())
        var next = TIFFDirectory(file)
        while let directory = next, seen.count < Self.maxDirectories, seen.insert(directory.start).inserted {
            directories.append(directory)
            next = directory.next
        }
        let pages = directories.indices.filter { directories[$0].isPage }
        self.count = max(pages.count, 1)
        self.firstIndex = pages.first ?? 0
        self.first = pages.first.map { directories[$0] } ?? directories.first
        self.isRaw = pages.isEmpty && directories.first?.hasSubdirectories == true
    }
}
