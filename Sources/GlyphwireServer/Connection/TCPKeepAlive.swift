internal import FramePipeline
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// TCP keep-alive options, which detect clients that are powered off or disconnected.
///
/// An idle connection is probed after half of the time, and then four times within the other half. Lines in flight that
/// are not acknowledged for the whole time make the system close the connection.
struct TCPKeepAlive {
    /// Maximum time for which a client's system may leave probes or bytes unacknowledged.
    let time: Duration

    /// Socket options and their values.
    var options: [(name: NIOBSDSocket.Option, value: Int)] {
        // The system accepts half of this up to 32,767 seconds.
        let milliseconds = min(max(self.time.microseconds / 1000, 1), 65_000_000)
        return [
            (NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE), max(1, milliseconds / 2000)),
            (NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL), max(1, milliseconds / 8000)),
            (NIOBSDSocket.Option(rawValue: TCP_KEEPCNT), 4),
            (NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT), milliseconds),
        ]
    }
}
