internal import NIOConcurrencyHelpers
internal import NIOSSL

/// Provider of the TLS context for new connections, which can be reloaded while the server runs.
final class TLSContextProvider: Sendable {
    private let files: TLSFiles?
    private let loaded = NIOLockedValueBox<NIOSSLContext?>(nil)

    /// Creates a provider without loading the files.
    ///
    /// - Parameter files: The files to load; `nil` for a server without TLS.
    init(files: TLSFiles?) { self.files = files }

    /// Context for new connections; `nil` without TLS.
    var current: NIOSSLContext? { self.loaded.withLockedValue(\.self) }

    /// Loads the files; open connections keep their context.
    ///
    /// - Throws: ``GlyphwireServerError`` if a file cannot be used; the previous context remains in use.
    func reload() throws(GlyphwireServerError) {
        guard let context = try self.files?.context() else { return }
        self.loaded.withLockedValue { $0 = context }
    }
}
