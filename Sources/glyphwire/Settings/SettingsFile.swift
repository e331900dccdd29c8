internal import FoundationEssentials
internal import TextModel
internal import Yams

/// Configuration file of `glyphwire serve`, in YAML: the names of flags, and their values.
///
/// ```yaml
/// host: 0.0.0.0
/// http: 127.0.0.1:7412
/// token-file: /etc/glyphwire/token
/// max-connections: 50
/// ```
struct SettingsFile: Sendable {
    /// Path of the file.
    let path: String
    /// Values by the names of their environment variables, without the prefix `GLYPHWIRE_`.
    let values: [String: String]

    /// Name of a setting in the file, which is that of its flag.
    ///
    /// - Parameter name: The name of its variable, without the prefix.
    /// - Returns: The name, such as `max-connections`.
    static func key(of name: String) -> String { name.lowercased().replacing("_", with: "-") }

    /// Names of all settings that a file may have, as variables: a file names no other file.
    private static var names: [String] {
        SettingName.withLimits.filter { $0 != SettingName.config.rawValue }
    }

    /// Reads a file.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The settings; their values are checked where they are used.
    /// - Throws: ``Failure`` with the place of what is wrong.
    static func read(_ path: String) throws(Failure) -> SettingsFile {
        guard let root = try YAMLFile.read(path) else { return SettingsFile(path: path, values: [:]) }
        guard case .mapping(let mapping) = root else {
            throw Failure(
                "The file \(path) must have lines such as \"port: 7411\", as docs/deploying.md in share/doc/glyphwire shows."
            )
        }
        var values: [String: String] = [:]
        for (key, node) in mapping {
            let name = try self.name(of: key, in: path)
            guard let value = self.text(of: node) else {
                throw Failure(
                    "\(key.string ?? "") in \(path)\(node.place) must have one value, or a list of them."
                )
            }
            values[name] = value
        }
        return SettingsFile(path: path, values: values)
    }

    /// Variable of the setting that a key names.
    private static func name(of key: Node, in path: String) throws(Failure) -> String {
        let text = key.string ?? ""
        if let name = self.names.first(where: { self.key(of: $0) == text }) { return name }
        let hint =
            Spelling.nearest(to: text, among: self.names.map(self.key)).map { "did you mean \($0)?" }
            ?? "`glyphwire serve --help` lists the settings, which are named as the flags without --."
        throw Failure("There is no setting \"\(text)\" in \(path)\(key.place); \(hint)")
    }

    /// Value as a flag has it, a list with commas; `nil` for an empty value, and for objects.
    private static func text(of node: Node) -> String? {
        switch node {
        case .scalar(let scalar): scalar.string.isEmpty ? nil : scalar.string
        case .sequence(let sequence):
            sequence.isEmpty || sequence.contains { $0.scalar == nil }
                ? nil : sequence.map { $0.scalar?.string ?? "" }.joined(separator: ",")
        case .mapping, .alias: nil
        }
    }
}
