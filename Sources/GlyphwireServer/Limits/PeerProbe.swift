internal import FramePipeline
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// How TCP finds out that a client's system is gone, or cut off, when no word of it comes.
///
/// A quiet connection is asked for a sign of life after half of the time, and then four times within the other half. Lines
/// that are on their way are sign enough: the system closes the connection when they are not acknowledged for the whole time.
struct PeerProbe {
    /// How long a client's system may be silent.
    let time: Duration

    /// What sockets are set to.
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
