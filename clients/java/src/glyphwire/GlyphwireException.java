package glyphwire;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLException;

/** Why a connection could not be made, a message was not accepted, or a stream has broken off. */
public final class GlyphwireException extends IOException {
    private static final long serialVersionUID = 1;
    private static final Set<ErrorCode> PERMANENT = Set.of(
        ErrorCode.NOT_GLYPHWIRE, ErrorCode.UNSUPPORTED_PROTOCOL, ErrorCode.BAD_LINE, ErrorCode.LINE_TOO_LONG,
        ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.CLOSED);
    private static final Set<String> PERMANENT_REFUSALS = Set.of(
        "auth_required", "auth_failed", "message_too_large", "message_too_short", "wrong_protocol");
    private static final int SHOWN_CHARACTERS = 80;

    private final ErrorCode code;
    private final String wireCode;
    private final boolean isPermanent;

    GlyphwireException(ErrorCode code, String message, Throwable cause) {
        this(code, null, PERMANENT.contains(code), message, cause);
    }

    private GlyphwireException(ErrorCode code, String wireCode, boolean isPermanent, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.wireCode = wireCode;
        this.isPermanent = isPermanent;
    }

    /** The kind of trouble. */
    public ErrorCode code() {
        return code;
    }

    /** The code of the server's error, as in Protocol.md; null where the server did not object. */
    public String wireCode() {
        return wireCode;
    }

    /** Whether another attempt would end the same way (rule X1). */
    boolean isPermanent() {
        return isPermanent;
    }

    /** The time before another attempt, whatever the policy says (rule X2). */
    Duration minimumPause() {
        return "too_many_guesses".equals(wireCode) ? Duration.ofMinutes(1) : Duration.ZERO;
    }

    /** The same, to be thrown a second time: each that is thrown has a stack trace of its own. */
    GlyphwireException again() {
        return new GlyphwireException(code, wireCode, isPermanent, getMessage(), this);
    }

    /** No connection can be opened; the message says what to do about it. */
    static GlyphwireException cannotConnect(String address, IOException error) {
        boolean isFinal = isDisagreement(error);
        String advice = "check that a server listens there (glyphwire serve) and that host and port are right";
        if (isFinal && error.getCause() instanceof CertificateException) {
            advice = "trust the server's certificate or its authority (Settings.tls; --tls-ca FILE), and check that the host name"
                + " is in it";
        } else if (isFinal) {
            advice = "check that the server speaks TLS, and whether it requires a client certificate";
        }
        String message = "cannot connect to " + address + ": " + error.getMessage() + "; " + advice;
        return new GlyphwireException(ErrorCode.CANNOT_CONNECT, null, isFinal, message, error);
    }

    /** Whether the two did not accept each other in TLS, rather than that the connection broke meanwhile. */
    private static boolean isDisagreement(IOException error) {
        return error instanceof SSLException && !(error.getCause() instanceof IOException);
    }

    static GlyphwireException refused(String wireCode, String message) {
        return new GlyphwireException(
            ErrorCode.REFUSED, wireCode, PERMANENT_REFUSALS.contains(wireCode),
            "the server refused: " + message + " (" + wireCode + ")", null);
    }

    static GlyphwireException closed() {
        return new GlyphwireException(
            ErrorCode.CLOSED, "the connection was finished or closed; connect again to send more", null);
    }

    static GlyphwireException badLine(String line, String why) {
        String shown = line.length() > SHOWN_CHARACTERS ? line.substring(0, SHOWN_CHARACTERS) : line;
        return new GlyphwireException(
            ErrorCode.BAD_LINE, "the server sent a line that violates the protocol (" + why + "): " + shown, null);
    }
}
