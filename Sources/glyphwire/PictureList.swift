internal import ImageCodecs
internal import SystemSupport
internal import TextModel

/// Pictures to read, by the arguments of the command line: files, folders, lists of files, standard input.
struct PictureList {
    /// Maximum size of a list: a million paths, as long as they usually are.
    private static let maxListByteCount = 64 << 20
    /// The name of standard input.
    static let standardInput = "-"

    /// The paths in order.
    private(set) var paths: [String] = []

    /// The pictures that `arguments` name.
    ///
    /// - Parameter arguments: Paths of files; of folders, which are searched with all folders in them; `@` and the path of a
    ///   list with a path on each line; `-` for standard input, where `@-` is a list there.
    /// - Throws: ``Failure`` if a list or a folder cannot be read, or has no picture, or standard input is named twice.
    init(_ arguments: [String]) throws(Failure) {
        for argument in arguments {
            if argument.hasPrefix("@") {
                for path in try Self.lines(ofList: String(argument.dropFirst())) { try self.add(path) }
            } else {
                try self.add(argument)
            }
        }
        let inputs = arguments.count { $0 == "@-" } + self.paths.count { $0 == Self.standardInput }
        guard inputs <= 1 else { throw Failure("Standard input (-) can be read only once.") }
    }

    private mutating func add(_ path: String) throws(Failure) {
        guard path != Self.standardInput, ModelFolder.isFolder(path) else { return self.paths.append(path) }
        let pictures = try Self.pictures(in: path)
        guard !pictures.isEmpty else {
            throw Failure(
                "The folder \(path) holds no picture: no name ends in .\(PictureFile.nameExtensions.sorted().joined(separator: ", ."))."
            )
        }
        self.paths += pictures
    }

    /// The paths of the pictures in a folder and those inside it, in natural order.
    ///
    /// Hidden ones are left out, the overlays of earlier runs, and what is no regular file, such as a pipe, which may never
    /// end.
    private static func pictures(in folder: String) throws(Failure) -> [String] {
        guard let entries = FolderEntry.all(in: folder) else { throw Failure("The folder \(folder) cannot be read.") }
        var paths: [String] = []
        for entry in entries.sorted(by: { NaturalOrder.precedes($0.name, $1.name) }) where !entry.name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + entry.name : "\(folder)/\(entry.name)"
            switch entry.kind {
            // The error of a picture is reported in its place, and the others are read.
            case .folder where PictureFile.isMisnamed(path: path): paths.append(path)
            case .folder: paths += try Self.pictures(in: path)
            case .file:
                guard let end = entry.name.split(separator: ".").last,
                    PictureFile.nameExtensions.contains(end.lowercased()), !entry.name.hasSuffix(OverlayNames.ending)
                else { continue }
                paths.append(path)
            case .other: continue
            }
        }
        return paths
    }

    /// The paths in a list, one a line; empty lines are left out.
    ///
    /// What is not UTF-8 becomes U+FFFD, so that the picture is reported in its place, and the others are read.
    private static func lines(ofList path: String) throws(Failure) -> [String] {
        let file = path == Self.standardInput ? "/dev/stdin" : path
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try SmallFile.bytes(file, atMost: self.maxListByteCount)
        } catch {
            throw Failure("The list of pictures @\(path) cannot be read: \(error.reason).")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let paths = text.split(whereSeparator: \.isNewline).map(String.init)
        guard !paths.isEmpty else { throw Failure("The list of pictures @\(path) is empty.") }
        return paths
    }
}
