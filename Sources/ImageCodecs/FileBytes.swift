#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Reader of a whole file; pipes work too.
enum FileBytes {
    /// The limit of a file in bytes, which keeps a device without an end from taking all memory.
    static let maxByteCount = 1 << 30

    /// Reads the file at `path`, of which `-` is standard input.
    static func read(_ path: String) throws(PictureError) -> [UInt8] {
        guard let file = unsafe fopen(path == "-" ? "/dev/stdin" : path, "rb") else {
            throw Self.failure(.unreadable, verb: "read", path: path)
        }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            if count == 0 { break }
            guard bytes.count + count <= Self.maxByteCount else {
                throw PictureError(.tooLarge, "\(path) has more than \(Self.maxByteCount) bytes, which is the limit.")
            }
            bytes += chunk[..<count]
        }
        guard unsafe ferror(file) == 0 else { throw Self.failure(.unreadable, verb: "read", path: path) }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) throws(PictureError) {
        guard let file = unsafe fopen(path, "wb") else { throw Self.failure(.unwritable, verb: "written", path: path) }
        let count = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, count == bytes.count else {
            throw Self.failure(.unwritable, verb: "written", path: path)
        }
    }

    private static func failure(_ code: PictureError.Code, verb: String, path: String) -> PictureError {
        PictureError(code, unsafe "\(path) cannot be \(verb): \(String(cString: strerror(errno))).")
    }
}
