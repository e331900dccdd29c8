internal import ArgumentParser

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Folder of the model files.
enum ModelFolder {
    /// Help of `--models`.
    static let help = ArgumentHelp(
        "The folder of the model files. (default: the one installed with this program; in a source tree, .deps/models)",
        valueName: "folder"
    )

    /// Path that `make setup` fills, in the project's folder.
    private static let usual = ".deps/models"

    /// Path that `make install` fills, from the programs' folder.
    private static let installed = "../share/glyphwire/models"

    /// Folder to load models from.
    ///
    /// - Parameter flag: The value of `--models`, if it was given.
    /// - Returns: The path of an existing folder.
    /// - Throws: ``Failure`` if there is none.
    static func path(flag: String?) throws -> String {
        if let named = try Setting.value(flag, environment: .models) {
            guard self.isFolder(named) else {
                throw Failure(
                    "The folder \(named) does not exist: leave --models and GLYPHWIRE_MODELS out, or in a source tree use "
                        + ".deps/models, which `make setup` fills."
                )
            }
            return named
        }
        let executables = self.executableFolder()
        if let installed = executables.map({ "\($0)/\(self.installed)" }), self.isFolder(installed) { return installed }
        for start in [executables, self.currentFolder()].compactMap(\.self) {
            if let found = self.search(upwardFrom: start) { return found }
        }
        throw Failure(
            "There are no model files: install Glyphwire again, or set their folder with --models or GLYPHWIRE_MODELS; in a "
                + "source tree, run `make setup`."
        )
    }

    private static func search(upwardFrom start: String) -> String? {
        var folder = start[...]
        while true {
            let candidate = "\(folder)/\(self.usual)"
            if self.isFolder(candidate) { return candidate }
            guard let slash = folder.lastIndex(of: "/") else { return nil }
            folder = folder[..<slash]
        }
    }

    private static func executableFolder() -> String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        let executable = String(cString: path)
        return executable.lastIndex(of: "/").map { String(executable[..<$0]) }
    }

    private static func currentFolder() -> String? {
        guard let path = realpath(".", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Whether there is a folder at `path`.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
