internal import FoundationEssentials
internal import ImageCodecs
internal import TextModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Picture files that paths stand for.
enum PictureFiles {
    /// Paths of files, with those of the pictures in folders in natural order.
    static func paths(at paths: [String]) throws(ReplayError) -> [String] {
        var files: [String] = []
        for path in paths { files += try Self.pictures(at: path) }
        return files
    }

    /// Pictures at `path`: itself, or the content of a folder.
    private static func pictures(at path: String) throws(ReplayError) -> [String] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            if PictureFile.isMisnamed(path: path) { return [path] }
            throw ReplayError(.unreadable, "\(path) does not exist; give a folder of pictures, or picture files")
        }
        guard isFolder else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw ReplayError(.unreadable, "the folder \(path) cannot be read: \(error)")
        }
        let pictures = names.filter { Self.isPicture($0, in: path) }
        guard !pictures.isEmpty else {
            throw ReplayError(
                .badPicture,
                "the folder \(path) has no picture: no name ends in .\(PictureFile.nameExtensions.sorted().joined(separator: ", ."))"
            )
        }
        return pictures.sorted(by: NaturalOrder.precedes).map { "\(path)/\($0)" }
    }

    /// Whether a name in a folder is that of a picture; a pipe or a device is none, since it may never end.
    private static func isPicture(_ name: String, in folder: String) -> Bool {
        guard !name.hasPrefix("."), let end = name.split(separator: ".").last,
            PictureFile.nameExtensions.contains(end.lowercased())
        else { return false }
        let path = "\(folder)/\(name)"
        return FileIdentity(path: path) != nil || access(path, F_OK) != 0
    }
}
