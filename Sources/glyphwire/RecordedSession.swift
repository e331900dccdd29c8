internal import CommandInput
internal import GlyphwireProtocol
internal import ImageCodecs
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Recorded session (`.gws`): the bytes that a client sends.
enum RecordedSession {
    /// Whether the file at `path` begins with a message of the protocol.
    static func isAt(_ path: String) -> Bool {
        // What is read from a pipe would be missing later.
        guard path != PictureList.standardInput, FileIdentity(path: path) != nil, let file = fopen(path, "rb") else {
            return false
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: MessageHeader.byteCount)
        guard fread(&bytes, 1, bytes.count, file) == bytes.count else { return false }
        var buffer = ByteBuffer(bytes: bytes)
        guard let header = try? MessageHeader(reading: &buffer, limits: WireLimits()) else { return false }
        return MessageType.allCases.contains { $0.rawValue == header.type }
    }

    /// What to do with the file at `path`, which is no picture.
    static func advice(_ path: String) -> String {
        "\(path) is a recorded session. Play it to a server with: nc 127.0.0.1 7411 < \(path.quotedForShell)"
    }
}
