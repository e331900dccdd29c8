internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Document of a page, with its style and its script inside.
struct PageDocument: Sendable {
    /// Live page of the server's streams.
    static let live = PageDocument(
        html: PackageResources.live_html,
        css: [PackageResources.theme_css, PackageResources.live_css],
        js: [PackageResources.boxes_js, PackageResources.live_js]
    )

    /// Page that makes a device's camera a stream.
    static let camera = PageDocument(
        html: PackageResources.camera_html,
        css: [PackageResources.theme_css, PackageResources.camera_css],
        js: [PackageResources.boxes_js, PackageResources.camera_js]
    )

    /// Document, split where the nonce of style and script is inserted.
    private let pieces: [Substring]

    /// Puts a document together.
    ///
    /// - Parameters:
    ///   - html: The document, which has `/* css */` and `/* js */` where style and script belong, and `NONCE` for their nonce.
    ///   - css: The style, in parts.
    ///   - js: The script, in parts.
    private init(html: [UInt8], css: [[UInt8]], js: [[UInt8]]) {
        self.pieces = Self.text(html)
            .replacing("/* css */", with: css.map(Self.text).joined())
            .replacing("/* js */", with: js.map(Self.text).joined())
            .split(separator: "NONCE", omittingEmptySubsequences: false)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Response whose content security policy allows only the page's own code and requests to this server.
    func response() -> Response {
        let nonce = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
        var headers: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; "
                + "img-src blob:; media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'"
        ]
        // The URL may contain the token.
        if let policy = HTTPField.Name("Referrer-Policy") { headers[policy] = "no-referrer" }
        return .text(self.pieces.joined(separator: nonce), contentType: "text/html; charset=utf-8", headers: headers)
    }
}
