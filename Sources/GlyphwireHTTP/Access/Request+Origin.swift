internal import HTTPTypes
internal import Hummingbird

extension Request {
    /// Whether a web page of another origin has sent this, by the headers that browsers add and programs leave out.
    ///
    /// `Sec-Fetch-Site` counts first, since it is right behind a proxy that changes the host. Browsers send it only over HTTPS
    /// and to their own machine; elsewhere the `Origin` is compared with the host.
    var isOfAnotherOrigin: Bool {
        if let name = HTTPField.Name("Sec-Fetch-Site"), let site = self.headers[name] {
            return !["same-origin", "none"].contains(site)
        }
        guard let origin = self.headers[.origin] else { return false }
        // An origin without a host is `null`.
        let host = origin.firstRange(of: "://").map { origin[$0.upperBound...].lowercased() }
        return host != self.head.authority?.lowercased()
    }
}
