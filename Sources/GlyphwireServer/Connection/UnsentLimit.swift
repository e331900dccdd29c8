internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Limit on the bytes that the system keeps for a client which has no room for them.
///
/// Without it they are megabytes, which small lines fill in minutes. ``WriteStallHandler`` would then notice a client that
/// reads nothing after the system has closed the connection, which it does `TCP_USER_TIMEOUT` after the client had no room.
enum UnsentLimit {
    /// Socket option for the limit; bytes in flight do not count (tcp(7)).
    static let option = NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)
    /// Limit in bytes.
    ///
    /// With 16 KiB, lines of 436 KB went over the loopback interface as fast as without a limit.
    static let byteCount = 16 << 10
}
