import FoundationEssentials

/// A folder that is removed after the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }

    func file(_ name: String, _ bytes: [UInt8]? = nil) throws -> String {
        let path = "\(self.path)/\(name)"
        if let bytes { try Data(bytes).write(to: URL(filePath: path)) }
        return path
    }

    static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    static func text(of path: String) throws -> String {
        String(decoding: try Self.bytes(of: path), as: UTF8.self)
    }

    static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
