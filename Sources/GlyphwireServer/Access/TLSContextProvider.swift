internal import CoreMetrics
internal import NIOConcurrencyHelpers
internal import NIOSSL

/// Provider of the TLS context for new connections, which can be reloaded while the server runs.
final class TLSContextProvider: Sendable {
    private let files: TLSFiles?
    /// Unix time at which the first certificate in use expires; `nil` without TLS.
    private let expiry: Meter?
    private let loaded = NIOLockedValueBox<NIOSSLContext?>(nil)

    /// Creates a provider without loading the files.
    ///
    /// - Parameters:
    ///   - files: The files to load; `nil` for a server without TLS.
    ///   - factory: The factory of the metric of their expiry.
    init(files: TLSFiles?, metrics factory: any MetricsFactory) {
        self.files = files
        self.expiry = files.map { _ in factory.meter(.certificateExpiry) }
    }

    /// Context for new connections; `nil` without TLS.
    var current: NIOSSLContext? { self.loaded.withLockedValue(\.self) }

    /// Loads the files; open connections keep their context.
    ///
    /// - Throws: ``GlyphwireServerError`` if a file cannot be used; the previous context remains in use.
    func reload() throws(GlyphwireServerError) {
        guard let files = self.files else { return }
        let configuration = try files.configuration()
        let context = try files.context(of: configuration)
        self.loaded.withLockedValue { $0 = context }
        if let expiry = configuration.firstExpiry { self.expiry?.set(expiry) }
    }
}

extension TLSConfiguration {
    /// Unix time in seconds at which the first certificate of the chain expires; `nil` without certificates.
    fileprivate var firstExpiry: Int? {
        self.certificateChain.compactMap { source in
            if case .certificate(let certificate) = source { certificate.notValidAfter } else { nil }
        }.min()
    }
}
