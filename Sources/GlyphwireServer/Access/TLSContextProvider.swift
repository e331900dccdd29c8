package import CoreMetrics
internal import NIOConcurrencyHelpers
package import NIOSSL

/// Provider of the TLS context for new connections, which can be reloaded while a service runs.
package final class TLSContextProvider: Sendable {
    private struct Loaded: Sendable {
        let context: NIOSSLContext
        let credentials: [Credential]
    }

    private let files: TLSFiles?
    /// Unix time at which the first certificate in use expires; `nil` without TLS.
    private let expiry: Meter?
    private let loaded = NIOLockedValueBox<Loaded?>(nil)

    /// Creates a provider without loading the files.
    ///
    /// - Parameters:
    ///   - files: The files to load; `nil` for a service without TLS of its own.
    ///   - factory: The factory of the metric of their expiry.
    package init(files: TLSFiles?, metrics factory: any MetricsFactory) {
        self.files = files
        self.expiry = files.map { _ in factory.meter(.certificateExpiry) }
    }

    /// Context for new connections; `nil` without TLS.
    package var current: NIOSSLContext? { self.loaded.withLockedValue { $0?.context } }

    /// The ends of the certificates in use; none without TLS.
    var credentials: [Credential] { self.loaded.withLockedValue { $0?.credentials ?? [] } }

    /// Loads the files; open connections keep their context.
    ///
    /// - Throws: ``GlyphwireServerError`` if a file cannot be used; the previous context remains in use.
    package func reload() throws(GlyphwireServerError) {
        guard let files = self.files else { return }
        let configuration = try files.configuration()
        let loaded = Loaded(
            context: try files.context(of: configuration),
            credentials: files.credentials(of: configuration)
        )
        self.loaded.withLockedValue { $0 = loaded }
        if let own = loaded.credentials.first { self.expiry?.set(own.endSeconds) }
    }
}
