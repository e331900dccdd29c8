internal import Foundation
internal import GlyphwireProtocol
internal import SystemSupport

/// Token file of a server: one line of text, or a JSON object with several tokens.
///
/// ```json
/// {"tokens": [{"name": "gate", "token": "…", "expires": "2027-01-31T00:00:00Z", "connections": 4}]}
/// ```
package struct TokenFile: Sendable {
    /// Token of a file.
    package struct Token: Sendable, Equatable {
        /// Name in logs.
        package var name = "token"
        /// What a client sends.
        package var secret = ""
        /// Time of expiry in seconds since 1970; `nil` for none.
        package var expirySeconds: Int?
        /// Maximum number of simultaneous connections; `nil` for the server's limit.
        package var maxConnections: Int?
    }

    /// Side of a connection that uses the file.
    package enum Side: Sendable {
        /// A server, whose operator chooses the tokens.
        case server
        /// A client, which shows a server one of the server's tokens.
        case client
    }

    /// The tokens, at least one; a client sends the first.
    package private(set) var tokens: [Token] = []
    private let path: String

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - side: The side that uses it.
    /// - Throws: ``InputError`` if the file cannot be read or has no token; the message never contains one.
    package init(_ path: String, for side: Side) throws(InputError) {
        self.path = path
        let text: String
        do throws(FileError) {
            text = try SmallFile.text(path).trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            guard error.isMissing else { throw InputError("The token file \(error).") }
            throw InputError("The token file \(path) does not exist; \(side.remedy(forMissing: path))")
        }
        guard !text.isEmpty else {
            throw InputError("The token file \(path) is empty: write \(side.content) into it, or omit --token-file.")
        }
        guard !text.hasPrefix("{") else {
            try self.read(json: text)
            return
        }
        guard !text.contains(where: \.isNewline) else {
            throw InputError(
                "The token file \(path) has several lines, but a token is one line: for several tokens write "
                    + "{\"tokens\": [{\"name\": …, \"token\": …}, …]}."
            )
        }
        try self.append(Token(secret: text), at: "the token")
    }

    private mutating func append(_ token: Token, at place: String) throws(InputError) {
        let lengths = StreamOption.tokenByteCounts
        guard lengths.contains(token.secret.utf8.count) else {
            throw InputError(
                "In the token file \(self.path), \(place) must have \(lengths.lowerBound) to \(lengths.upperBound) bytes."
            )
        }
        guard !self.tokens.contains(where: { $0.name == token.name }) else {
            throw InputError(
                "The token file \(self.path) has two tokens with the name \(token.name): give each its own."
            )
        }
        self.tokens.append(token)
    }

    private mutating func read(json text: String) throws(InputError) {
        do {
            var reader = JSONReader(Array(text.utf8))
            try reader.beginObject()
            while let name = try reader.nextName() {
                guard name == "tokens", self.tokens.isEmpty else { throw reader.error("expected \"tokens\" once") }
                try reader.beginArray()
                while try reader.nextElement() {
                    let place = "token \(self.tokens.count + 1)"
                    try self.append(try self.token(&reader, at: place), at: place)
                }
            }
            try reader.end()
            guard !self.tokens.isEmpty else { throw reader.error("expected a token") }
        } catch let error as JSONError {
            throw InputError(
                "The token file \(self.path) begins like JSON, but is not {\"tokens\": [{\"name\": …, \"token\": …}, …]} with "
                    + "one token or more: \(error)."
            )
        } catch {
            throw (error as? InputError) ?? InputError("\(error)")
        }
    }

    private func token(_ reader: inout JSONReader, at place: String) throws -> Token {
        var token = Token(name: "")
        var seen: Set<String> = []
        try reader.beginObject()
        while let member = try reader.nextName() {
            guard seen.insert(member).inserted else {
                throw InputError("In the token file \(self.path), \(place) has \"\(member)\" twice.")
            }
            switch member {
            case "name": token.name = try reader.string()
            case "token": token.secret = try reader.string()
            case "expires": token.expirySeconds = try self.expiry(try reader.rawValue(), at: place)
            case "connections": token.maxConnections = try self.count(try reader.rawValue(), at: place)
            default:
                throw InputError(
                    "In the token file \(self.path), \(place) has a member \"\(member)\", which does not exist."
                )
            }
        }
        guard !token.name.isEmpty, seen.contains("token") else {
            throw InputError("In the token file \(self.path), \(place) needs a \"name\" and a \"token\", both strings.")
        }
        return token
    }

    /// Parses a time in JSON.
    private func expiry(_ value: String, at place: String) throws(InputError) -> Int {
        var reader = JSONReader(Array(value.utf8))
        guard let text = try? reader.string(), let date = try? Date(text, strategy: .iso8601) else {
            throw InputError(
                "In the token file \(self.path), \"expires\" of \(place) is not a time: write it like \"2027-01-31T00:00:00Z\"."
            )
        }
        return Int(date.timeIntervalSince1970)
    }

    /// Parses a number of connections in JSON.
    private func count(_ value: String, at place: String) throws(InputError) -> Int {
        var reader = JSONReader(Array(value.utf8))
        guard let count = try? reader.integer(), count > 0 else {
            throw InputError(
                "In the token file \(self.path), \"connections\" of \(place) must be a whole number above 0."
            )
        }
        return count
    }
}

extension TokenFile.Side {
    /// What belongs in the file.
    fileprivate var content: String {
        switch self {
        case .server: "a secret"
        case .client: "the server's token"
        }
    }

    /// What to do if there is no file at `path`.
    fileprivate func remedy(forMissing path: String) -> String {
        switch self {
        case .server: "make one with: (umask 077; openssl rand -hex 16 > \(path.quotedForShell))"
        case .client: "write \(self.content) into it."
        }
    }
}
