package glyphwire;

import java.util.Locale;

/** The kind of a {@link GlyphwireException}; the names are the same in every client. */
public enum ErrorCode {
    /** There is no response at that address. */
    CANNOT_CONNECT,
    /** Connected, but no greeting came in time. */
    TIMED_OUT,
    /** The peer is not a Glyphwire server. */
    NOT_GLYPHWIRE,
    /** The server speaks another version of the protocol. */
    UNSUPPORTED_PROTOCOL,
    /** The connection broke, or the server closed it before the stream was ended. */
    CONNECTION_LOST,
    /** The server refused a message; {@link GlyphwireException#wireCode()} says why. */
    REFUSED,
    /** The server sent a line that violates Protocol.md. */
    BAD_LINE,
    /** The server sent a line longer than the settings allow. */
    LINE_TOO_LONG,
    /** The message exceeds the server's limit; it was not sent, and the connection stays open. */
    MESSAGE_TOO_LARGE,
    /** The connection was used after it was finished or closed. */
    CLOSED;

    /** Such as {@code connection_lost}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
