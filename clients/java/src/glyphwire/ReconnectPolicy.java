package glyphwire;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How a lost connection is made again: after pauses that grow with each attempt in a row.
 *
 * <p>A frame that was sent and not answered is not sent again. Its result has the code {@code connection_lost}, so that every
 * frame has exactly one result.
 */
public final class ReconnectPolicy {
    private static final double NANOS = 1e9;

    private final int maxAttempts;
    private final Duration initialDelay;
    private final double multiplier;
    private final Duration maxDelay;
    private final double jitter;

    /**
     * A policy of one's own.
     *
     * @param maxAttempts How many attempts in a row may fail before the connection is given up.
     * @param initialDelay The pause before the first attempt.
     * @param multiplier The factor from one pause to the next.
     * @param maxDelay The longest pause.
     * @param jitter The part of a pause that is random, so that many clients do not return at once.
     */
    public ReconnectPolicy(int maxAttempts, Duration initialDelay, double multiplier, Duration maxDelay, double jitter) {
        this.maxAttempts = maxAttempts;
        this.initialDelay = Settings.bounded(initialDelay);
        this.multiplier = multiplier;
        this.maxDelay = Settings.bounded(maxDelay);
        this.jitter = jitter;
    }

    /** Ten attempts after pauses of 0.1 s to 10 s, as Protocol.md recommends (rule X2). */
    public ReconnectPolicy() {
        this(10, Duration.ofMillis(100), 2, Duration.ofSeconds(10), 0.2);
    }

    int maxAttempts() {
        return maxAttempts;
    }

    /** The pause before an attempt, of which the first since the loss is 1. */
    Duration delay(int attempt) {
        return delay(attempt, ThreadLocalRandom.current().nextDouble());
    }

    Duration delay(int attempt, double chance) {
        double growth = Math.pow(Math.max(multiplier, 1), attempt - 1);
        double longest = maxDelay.toNanos() / NANOS;
        double regular = Math.min(initialDelay.toNanos() / NANOS * growth, longest);
        double shortened = regular * (1 - Math.min(Math.max(jitter, 0), 1) * chance);
        return Duration.ofNanos((long) (shortened * NANOS));
    }
}
