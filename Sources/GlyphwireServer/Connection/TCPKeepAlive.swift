internal import FramePipeline
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// TCP keep-alive: socket options that detect clients whose system, or network, is gone.
///
/// A quiet connection is probed after half of the time, and then four times within the other half. Where lines are in flight,
/// the system closes the connection if they are not acknowledged for the whole time.
struct TCPKeepAlive {
    /// How long a client's system may leave probes or bytes unacknowledged.
    let time: Duration

    /// The socket options and their values.
    var options: [(name: NIOBSDSocket.Option, value: Int)] {
        // The system takes half of this up to 32,767 seconds.
        let milliseconds = min(max(self.time.microseconds / 1000, 1), 65_000_000)
        return [
            (NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE), max(1, milliseconds / 2000)),
            (NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL), max(1, milliseconds / 8000)),
            (NIOBSDSocket.Option(rawValue: TCP_KEEPCNT), 4),
            (NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT), milliseconds),
        ]
    }
}
