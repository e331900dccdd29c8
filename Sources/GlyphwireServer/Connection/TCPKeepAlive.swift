internal import TextModel
package import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// TCP keep-alive options, which detect clients that are powered off or disconnected.
///
/// An idle connection is probed after half of the time, and then four times within the other half. Lines in flight that
/// are not acknowledged for the whole time make the system close the connection.
package struct TCPKeepAlive {
    /// Maximum time for which a client's system may leave probes or bytes unacknowledged.
    private let time: Duration

    /// Times that the system can measure: whole seconds, and half of the time in at most 32,767 of them.
    static let allowedTimes = Duration.seconds(1)...Duration.seconds(65_000)

    /// Creates the options for a `time`, one of ``allowedTimes``.
    package init(time: Duration) { self.time = time }

    /// Enables keep-alive on a socket.
    package func apply(to socket: any NIOSynchronousChannelOptions) throws {
        try socket.setOption(.socketOption(.so_keepalive), value: 1)
        for option in self.options { try socket.setOption(.tcpOption(option.name), value: option.value) }
    }

    /// Socket options and their values.
    var options: [(name: NIOBSDSocket.Option, value: Int)] {
        let milliseconds = self.time.microseconds / 1000
        return [
            (NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE), max(1, milliseconds / 2000)),
            (NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL), max(1, milliseconds / 8000)),
            (NIOBSDSocket.Option(rawValue: TCP_KEEPCNT), 4),
            (NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT), milliseconds),
        ]
    }
}
