#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A file that holds the secret of a server.
enum TokenFile {
    /// Longer files are a mistake.
    private static let maxByteCount = 4096

    /// Reads the secret.
    ///
    /// - Parameter path: Of the file.
    /// - Returns: What the file holds, without the spaces and line ends around it; never empty.
    /// - Throws: ``Failure`` if the file cannot be read or holds no secret.
    static func read(_ path: String) throws(Failure) -> String {
        guard let file = fopen(path, "rb") else {
            throw Failure("The token file \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { fclose(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.maxByteCount + 1) { buffer, count in
            count = fread(buffer.baseAddress, 1, buffer.count, file)
        }
        guard ferror(file) == 0 else {
            throw Failure("The token file \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard bytes.count <= Self.maxByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("The token file \(path) holds no token: it must be a line of text.")
        }
        let token = text.drop(while: \.isWhitespace)
        guard let last = token.lastIndex(where: { !$0.isWhitespace }) else {
            throw Failure("The token file \(path) is empty: write a secret into it, or leave out --token-file.")
        }
        return String(token[...last])
    }
}
