package glyphwire;

import java.time.Duration;
import javax.net.ssl.SSLContext;

/** How a connection is made and kept. Each method changes this object and returns it; all have good defaults. */
public final class Settings {
    /** Longer times are this one: those that do not fit into nanoseconds have no end for anybody. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    Options options;
    ReconnectPolicy reconnect;
    Duration connectTimeout = Duration.ofSeconds(10);
    Duration answerTimeout = Duration.ofSeconds(30);
    /** A server waits for ten minutes (rule A9). */
    Duration pingInterval = Duration.ofMinutes(4);
    int maxLineBytes = 16 << 20;
    int lineBuffer = 64;
    SSLContext tls;

    /** Options that are sent first, on every connection; without them the server's own are in force. */
    public Settings options(Options options) {
        this.options = options;
        return this;
    }

    /** Makes a lost connection again; without a policy it is not. */
    public Settings reconnect(ReconnectPolicy policy) {
        this.reconnect = policy;
        return this;
    }

    /** The time that connecting, the greeting and the options may take together; 10 seconds by default. */
    public Settings connectTimeout(Duration timeout) {
        this.connectTimeout = bounded(timeout);
        return this;
    }

    /**
     * The time in which the server may send nothing while messages are unanswered; then the connection counts as lost. 30
     * seconds by default.
     */
    public Settings answerTimeout(Duration timeout) {
        this.answerTimeout = bounded(timeout);
        return this;
    }

    /**
     * The time without a message after which the client sends a ping, so that the server keeps the connection; 4 minutes by
     * default. With null, zero or less none is sent.
     */
    public Settings pingInterval(Duration interval) {
        boolean isNone = interval == null || interval.isZero() || interval.isNegative();
        this.pingInterval = isNone ? null : bounded(interval);
        return this;
    }

    static Duration bounded(Duration time) {
        return time.compareTo(LONGEST) > 0 ? LONGEST : time;
    }

    /** The longest line that is accepted; 16 MiB by default. */
    public Settings maxLineBytes(int bytes) {
        this.maxLineBytes = bytes;
        return this;
    }

    /** How many lines may wait to be read before reading from the socket pauses; 64 by default. */
    public Settings lineBuffer(int lines) {
        this.lineBuffer = Math.max(lines, 1);
        return this;
    }

    /** TLS: {@code SSLContext.getDefault()} trusts the authorities of the Java platform. Without a context it is not spoken. */
    public Settings tls(SSLContext context) {
        this.tls = context;
        return this;
    }
}
