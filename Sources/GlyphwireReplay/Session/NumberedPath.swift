/// Numbered file names derived from one name.
enum NumberedPath {
    /// `name.2.ndjson` in place of `name.ndjson`.
    static func path(_ path: String, number: Int) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[slash...].lastIndex(of: "."), dot > slash else { return "\(path).\(number)" }
        return "\(path[..<dot]).\(number)\(path[dot...])"
    }
}
