internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Document of the live page, with inline style and script.
enum LivePageDocument {
    /// Document, split where the nonce of style and script is inserted.
    private static let pieces: [Substring] = {
        Self.text(PackageResources.live_html)
            .replacing("/* live.css */", with: Self.text(PackageResources.live_css))
            .replacing("/* live.js */", with: Self.text(PackageResources.live_js))
            .split(separator: "NONCE", omittingEmptySubsequences: false)
    }()

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Response whose content security policy allows only the page's own code and requests to this server.
    static func response() -> Response {
        let nonce = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
        var headers: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; "
                + "img-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ]
        // The URL may contain the token.
        if let policy = HTTPField.Name("Referrer-Policy") { headers[policy] = "no-referrer" }
        return .text(Self.pieces.joined(separator: nonce), contentType: "text/html; charset=utf-8", headers: headers)
    }
}
