internal import Foundation
internal import GlyphwireServer

/// Token file of a server: one line of text, or a JSON object with several tokens.
///
/// ```json
/// {"tokens": [{"name": "gate", "token": "…", "expires": "2027-01-31T00:00:00Z", "connections": 4}]}
/// ```
enum TokenFile {
    /// Maximum size of the file; a longer one is a mistake.
    private static let maxByteCount = 1 << 20
    /// Maximum size of a token in the protocol.
    private static let maxTokenByteCount = 4096

    /// Reads the tokens.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: At least one token.
    /// - Throws: ``Failure`` if the file cannot be read or has no token; the message never contains one.
    static func read(_ path: String) throws(Failure) -> [AccessToken] {
        let text = try self.text(path).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw Failure("The token file \(path) is empty: write a secret into it, or omit --token-file.")
        }
        if text.hasPrefix("{") { return try self.tokens(json: text, in: path) }
        guard !text.contains(where: \.isNewline) else {
            throw Failure(
                "The token file \(path) has several lines, but a token is one line: for several tokens write "
                    + "{\"tokens\": [{\"name\": …, \"token\": …}, …]}."
            )
        }
        return [AccessToken(try self.checked(text, at: "the token", in: path))]
    }

    private static func text(_ path: String) throws(Failure) -> String {
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            data = try file.read(upToCount: self.maxByteCount + 1) ?? Data()
        } catch {
            throw Failure("The token file \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard data.count <= self.maxByteCount, let text = String(data: data, encoding: .utf8) else {
            throw Failure("The token file \(path) has no token: it must be a line of text, or JSON.")
        }
        return text
    }

    private static func tokens(json text: String, in path: String) throws(Failure) -> [AccessToken] {
        guard
            let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let entries = object["tokens"] as? [[String: Any]], object.count == 1, !entries.isEmpty
        else {
            throw Failure(
                "The token file \(path) begins like JSON, but is not {\"tokens\": [{\"name\": …, \"token\": …}, …]} with one "
                    + "token or more."
            )
        }
        var tokens: [AccessToken] = []
        for (index, entry) in entries.enumerated() {
            let token = try self.token(entry, at: "token \(index + 1)", in: path)
            guard !tokens.contains(where: { $0.name == token.name }) else {
                throw Failure("The token file \(path) has two tokens with the name \(token.name): give each its own.")
            }
            tokens.append(token)
        }
        return tokens
    }

    private static func token(_ entry: [String: Any], at place: String, in path: String) throws(Failure) -> AccessToken
    {
        if let other = entry.keys.sorted().first(where: { !["name", "token", "expires", "connections"].contains($0) }) {
            throw Failure("In the token file \(path), \(place) has a member \"\(other)\", which does not exist.")
        }
        guard let name = entry["name"] as? String, !name.isEmpty, let secret = entry["token"] as? String else {
            throw Failure("In the token file \(path), \(place) needs a \"name\" and a \"token\", both strings.")
        }
        var token = AccessToken(try self.checked(secret, at: place, in: path), name: name)
        if let value = entry["expires"] {
            guard let text = value as? String, let date = try? Date(text, strategy: .iso8601) else {
                throw Failure(
                    "In the token file \(path), \"expires\" of \(name) is not a time: write it like \"2027-01-31T00:00:00Z\"."
                )
            }
            token.expirySeconds = Int(date.timeIntervalSince1970)
        }
        if let value = entry["connections"] {
            guard let count = value as? Int, count > 0 else {
                throw Failure("In the token file \(path), \"connections\" of \(name) must be a whole number above 0.")
            }
            token.maxConnections = count
        }
        return token
    }

    private static func checked(_ secret: String, at place: String, in path: String) throws(Failure) -> String {
        guard (1...self.maxTokenByteCount).contains(secret.utf8.count) else {
            throw Failure("In the token file \(path), \(place) must have 1 to \(self.maxTokenByteCount) bytes.")
        }
        return secret
    }
}
