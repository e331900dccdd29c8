internal import GlyphwireProtocol
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Error of a server that cannot start.
package struct GlyphwireServerError: Error, CustomStringConvertible {
    /// Code of the failure.
    package struct Code: Sendable, Hashable {
        private enum Value { case cannotListen, cannotStartWorker, unprotected, cannotUseTLS }
        private let value: Value

        /// The server cannot listen on the address.
        package static let cannotListen = Code(value: .cannotListen)
        /// Other machines could use the server without authentication.
        package static let unprotected = Code(value: .unprotected)
        /// A certificate or key cannot be read or used.
        package static let cannotUseTLS = Code(value: .cannotUseTLS)
        /// The system cannot start another thread.
        package static let cannotStartWorker = Code(value: .cannotStartWorker)
    }

    /// Code of the error.
    package let code: Code
    /// A sentence with the cause and the remedy.
    package let message: String
    /// Underlying error of the system.
    package let underlying: (any Error)?

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Creates the error for an address on which the server cannot listen.
    package static func cannotListen(host: String, port: Int, underlying: any Error) -> GlyphwireServerError {
        let reason = (underlying as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(underlying)"
        return GlyphwireServerError(
            .cannotListen,
            "Cannot listen on \(String(host: host, port: port)) (\(reason)): choose another address or port, or stop what uses "
                + "this one.",
            underlying: underlying
        )
    }

    /// The message.
    package var description: String { self.message }
}
