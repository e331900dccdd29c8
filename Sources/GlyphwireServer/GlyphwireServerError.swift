internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Why a server could not start.
public struct GlyphwireServerError: Error, CustomStringConvertible {
    /// What failed.
    public struct Code: Sendable, Hashable {
        private enum Value { case cannotListen, cannotStartWorker, unprotected, cannotUseTLS }
        private let value: Value

        /// The address cannot be listened on.
        public static let cannotListen = Code(value: .cannotListen)
        /// Other machines could use the server, and nothing keeps them out.
        public static let unprotected = Code(value: .unprotected)
        /// A certificate or key cannot be read or used.
        public static let cannotUseTLS = Code(value: .cannotUseTLS)
        /// The system gives no more threads.
        public static let cannotStartWorker = Code(value: .cannotStartWorker)
    }

    /// What failed.
    public let code: Code
    /// What was wrong and what to do, in a sentence.
    public let message: String
    /// What the system said.
    public let underlying: (any Error)?

    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The address cannot be listened on, for the reason that the system gave.
    package static func cannotListen(host: String, port: Int, underlying: any Error) -> GlyphwireServerError {
        let reason = (underlying as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(underlying)"
        return GlyphwireServerError(
            .cannotListen,
            "Cannot listen on \(host):\(port) (\(reason)): choose another address or port, or stop what uses this one.",
            underlying: underlying
        )
    }

    /// The sentence.
    public var description: String { self.message }
}
