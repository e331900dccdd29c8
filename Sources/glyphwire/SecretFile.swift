internal import Foundation
internal import Logging
internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Check of files that hold secrets: tokens, and the private key of TLS.
enum SecretFile {
    /// Whether every user of this machine can read the file.
    static func isReadableByAll(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    /// The secret in a file of one line.
    ///
    /// - Throws: ``Failure`` if the file cannot be read, or has no text.
    static func text(_ path: String) throws(Failure) -> String {
        let text = String(decoding: try SmallFile.contents(of: path), as: UTF8.self)
        let secret = text.split(whereSeparator: \.isNewline).first?.trimmingCharacters(in: .whitespaces)
        guard let secret, !secret.isEmpty else { throw Failure("The file \(path) has no secret in its first line.") }
        return secret
    }

    /// Warns of the files that every user of this machine can read.
    static func warn(of paths: [String?], to logger: Logger) {
        for path in paths.compactMap(\.self) where Self.isReadableByAll(path) {
            logger.warning("secret file readable by every user: run chmod o-r on it", metadata: ["file": "\(path)"])
        }
    }
}
