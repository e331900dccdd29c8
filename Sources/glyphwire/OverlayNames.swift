#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Names of the annotated pictures: a file for one, a folder for several.
struct OverlayNames {
    /// End of the names in a folder, which pictures do not have, so that none there is replaced.
    static let ending = ".boxes.png"

    /// The paths, one for each picture.
    private(set) var paths: [String] = []

    private let path: String
    private let isFolder: Bool
    private let pictures: InputFiles
    private var used: Set<String> = []

    /// Creates names for the overlays of `pictures`.
    ///
    /// - Parameters:
    ///   - path: The path, of a folder if there are several pictures, if it exists as one, or if it ends with a slash.
    ///   - pictures: The paths of the pictures.
    /// - Throws: ``Failure`` if the folder cannot be created, or the path of one file is given for several pictures, is that
    ///   of the picture, or is not that of a picture.
    init(path: String, pictures: [String]) throws(Failure) {
        self.path = path
        self.isFolder = pictures.count > 1 || path.hasSuffix("/") || ModelFolder.isFolder(path)
        self.pictures = InputFiles(pictures)
        guard self.isFolder || !self.pictures.contains(path) else {
            throw Failure("--overlay \(path) is the picture that is read: give another file, or a folder like boxes/.")
        }
        guard self.isFolder || Self.isPicture(path) else {
            throw Failure("--overlay \(path) must end in .png or .jpg; a folder needs a / at its end.")
        }
        try self.makeFolder(pictureCount: pictures.count)
        for picture in pictures { self.paths.append(self.name(for: picture)) }
    }

    private func makeFolder(pictureCount: Int) throws(Failure) {
        guard self.isFolder, !ModelFolder.isFolder(self.path) else { return }
        let path = self.path
        guard !Self.isPicture(path) else {
            throw Failure("--overlay \(path) is one file for \(pictureCount) pictures: give a folder, such as boxes/.")
        }
        guard mkdir(path, 0o777) == 0 else {
            throw Failure("The folder \(path) for the overlays cannot be created: \(String(cString: strerror(errno))).")
        }
    }

    /// Whether a path has the name extension of a picture that can be written.
    private static func isPicture(_ path: String) -> Bool {
        [".png", ".jpg", ".jpeg"].contains(where: path.lowercased().hasSuffix)
    }

    private mutating func name(for picture: String) -> String {
        guard self.isFolder else { return self.path }
        let file = picture.split(separator: "/").last ?? "picture"
        let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
        // Pictures in different folders may have the same name, and an overlay may be read as a picture.
        var path = self.file(named: stem)
        var number = 1
        while !self.used.insert(path).inserted || self.pictures.contains(path) {
            number += 1
            path = self.file(named: "\(stem)-\(number)")
        }
        return path
    }

    private func file(named name: String) -> String {
        "\(self.path.hasSuffix("/") ? self.path : self.path + "/")\(name)\(Self.ending)"
    }
}
