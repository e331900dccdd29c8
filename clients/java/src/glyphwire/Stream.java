package glyphwire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The state of a stream of frames, over one connection or several in a row. It does no I/O and takes no lock. */
final class Stream {
    private static final long PROTOCOL = 1;
    private static final long LARGEST_LENGTH = 0xFFFFFFFFL;
    /** Well below the five seconds in which servers expect the first message (rule A9). */
    private static final Duration FIRST_PING_DELAY = Duration.ofSeconds(2);
    /** How many frames are unanswered for each that the server works on, so that the next are there in time. */
    static final int FRAMES_PER_WINDOW = 2;
    /** How many frames of a camera are unanswered at most: two keep network and server busy (rule D9). */
    static final int CAMERA_FRAMES = 2;
    private static final Map<Integer, String> ANSWERS = Map.of(
        Message.CONFIGURE, "configured", Message.PING, "pong", Message.END, "end", Message.STATS, "stats");

    /** A frame of which at least a part was handed to the socket. */
    private static final class SentFrame {
        final long sequence;
        final long capturedUs;

        SentFrame(long sequence, long capturedUs) {
            this.sequence = sequence;
            this.capturedUs = capturedUs;
        }
    }

    /** What a configure carries. */
    static final class Body {
        final byte[] options;
        /** A body with the token of the options alone; null if they have none. */
        final byte[] token;

        Body(Options options) {
            this.options = bytes(options);
            this.token = options.has("token") ? bytes(options.tokenAlone()) : null;
        }

        private static byte[] bytes(Options options) {
            return options.json().getBytes(StandardCharsets.UTF_8);
        }
    }

    /** A message other than a frame, whose answer a caller waits for. */
    static final class Request {
        final int type;
        final long sequence;
        final byte[] header;
        final byte[] body;
        /** Whether the client itself asks, and no caller gets the answer. */
        boolean isOwn;
        /** What the server is sent again on another connection, once it has accepted it; null for none. */
        Body options;
        final CompletableFuture<Line> answer = new CompletableFuture<>();

        private Request(int type, long sequence, byte[] header, byte[] body) {
            this.type = type;
            this.sequence = sequence;
            this.header = header;
            this.body = body;
        }

        boolean isAnsweredBy(Line line) {
            Long answered = line.fields.whole("sequence");
            boolean isOfType = line.type.equals("error") || line.type.equals(ANSWERS.get(type));
            return isOfType && answered != null && answered == sequence;
        }
    }

    final String address;
    private final ReconnectPolicy policy;
    /** What the server last accepted, to be sent again on another connection; null for none. */
    private Body options;
    /** The last token that was accepted, as a body of its own, which those options may lack; null for none. */
    private byte[] token;
    Hello hello;
    /** Whether messages may be sent: the server has greeted, and accepted the options. */
    boolean isOpen;
    /** Whether the server stops, and accepts no more messages on this connection. */
    boolean isLeaving;
    /** How many frames the server works on at once, if it leaves none out; 0 for no limit. */
    private long window;
    boolean isFinishing;
    /** Why everything is over; null while it is not. */
    GlyphwireException end;
    private boolean wasOpen;
    private int attempts;
    private long lastSequence;
    private long lastRequest;
    /** When {@link #heard} was called last, or when the first message was sent that has no answer, if that is later. */
    long silentSince;
    /** When a message was begun last, or else when the server greeted; and whether one was since. */
    private long sentAt;
    private boolean hasSent;
    private final ArrayDeque<SentFrame> frames = new ArrayDeque<>();
    /** How many frames the server at hand has answered. */
    private long answeredFrames;
    private final ArrayDeque<Request> requests = new ArrayDeque<>();

    Stream(String address, Settings settings) {
        this.address = address;
        this.policy = settings.reconnect;
        if (settings.options != null) accepted(new Body(settings.options));
    }

    // What is sent

    /** Keeps options for other connections, and their token also for options without one. */
    void accepted(Body accepted) {
        options = accepted;
        if (accepted.token != null) token = accepted.token;
    }

    /**
     * The options to send first on a connection, each once those before are accepted.
     *
     * <p>The token goes alone where the options have none (rule A1), or are longer than it allows before (rule N1).
     */
    List<byte[]> opening() {
        if (options == null) return List.of();
        byte[] body = options.options;
        long limit = hello.maxUnauthenticatedBytes;
        boolean isTooLong = limit > 0 && length(body.length) > limit;
        boolean goesAlone = options.token == null || isTooLong;
        return isAskedForToken() && token != null && goesAlone ? List.of(token, body) : List.of(body);
    }

    private boolean isAskedForToken() {
        return hello.auth.equals("token");
    }

    /**
     * Whether the connection is open for a message of this type.
     *
     * <p>Where the server reads every frame, few are under way, and the end follows the last answer: so little is lost with a
     * server that stops. Unread results hold up nothing here, since whoever sends may be the one who reads afterwards.
     */
    boolean maySend(int type, boolean isFull) {
        if (!isOpen || window <= 0) return isOpen;
        if (type == Message.FRAME) return isFull || frames.size() / FRAMES_PER_WINDOW < window;
        return type != Message.END || frames.isEmpty();
    }

    /** Whether a frame of a camera may be sent: few are unanswered, or their answers cannot come in. */
    boolean isSendable(boolean isFull) {
        return isOpen && (isFull || frames.size() < CAMERA_FRAMES);
    }

    /** The number of a frame that is sent at once; it waits for its result from now on. */
    long frame(Frame frame) throws GlyphwireException {
        long sequence = frame.sequence == null ? lastSequence + 1 : frame.sequence;
        checkSize(frame.payload.length);
        lastSequence = sequence;
        frames.add(new SentFrame(sequence, frame.capturedUs));
        sent();
        return sequence;
    }

    /** A message that is sent at once, and waits for its answer from now on. */
    Request request(int type, byte[] body, long capturedUs) throws GlyphwireException {
        checkSize(body.length);
        lastRequest++;
        isFinishing |= type == Message.END;
        byte[] header = Message.header(type, lastRequest, capturedUs, body.length);
        Request request = new Request(type, lastRequest, header, body);
        requests.add(request);
        sent();
        return request;
    }

    /** A message is sent. Its answer is not late yet; those of earlier messages may be. */
    void sent() {
        sentAt = System.nanoTime();
        hasSent = true;
        if (frames.size() + requests.size() <= 1) heard();
    }

    /** Whether the server has to answer, or to close since it stops. */
    private boolean isWaiting() {
        return !frames.isEmpty() || !requests.isEmpty() || isLeaving;
    }

    /** The nanoseconds until a ping is due (rules A9 and A10); Long.MAX_VALUE while none will be. */
    long pingLeft(Duration interval) {
        boolean isUnwelcome = !hasSent && isAskedForToken();
        if (interval == null || !isOpen || isWaiting() || isUnwelcome) return Long.MAX_VALUE;
        boolean isFirst = !hasSent && interval.compareTo(FIRST_PING_DELAY) > 0;
        return sentAt + (isFirst ? FIRST_PING_DELAY : interval).toNanos() - System.nanoTime();
    }

    /** Bytes came, or could not have come because nobody read them, or the socket took a part of a long message. */
    void heard() {
        silentSince = System.nanoTime();
    }

    /** The nanoseconds until the server counts as dead, should nothing come; at most the limit. */
    long silenceLeft(long limit) {
        return isWaiting() ? silentSince + limit - System.nanoTime() : limit;
    }

    /** What the length field of a message says. */
    private static long length(int payloadBytes) {
        return (long) payloadBytes + Message.HEADER_BYTES - Message.LENGTH_BYTES;
    }

    private void checkSize(int payloadBytes) throws GlyphwireException {
        long size = length(payloadBytes);
        long limit = hello.maxMessageBytes <= 0 ? LARGEST_LENGTH : Math.min(hello.maxMessageBytes, LARGEST_LENGTH);
        if (size <= limit) return;
        String message = "a message of " + size + " bytes, " + address + " accepts at most " + limit
            + "; send a smaller picture, or JPEG";
        throw new GlyphwireException(ErrorCode.MESSAGE_TOO_LARGE, message, null);
    }

    // What is received

    /** Takes the first line of a connection. */
    void greeted(String json) throws GlyphwireException {
        Line line;
        try {
            line = Line.parse(json);
        } catch (GlyphwireException error) {
            throw notGlyphwire(error);
        }
        if (line.isFatal()) throw line.refusal();
        if (!(line instanceof Hello)) throw notGlyphwire(null);
        Hello greeting = (Hello) line;
        if (greeting.protocol != PROTOCOL) {
            String message = address + " speaks version " + greeting.protocol + " of the protocol, this client " + PROTOCOL
                + "; update the older of the two";
            throw new GlyphwireException(ErrorCode.UNSUPPORTED_PROTOCOL, message, null);
        }
        hello = greeting;
        hello.hasCaller = true;
        isLeaving = false;
        window = 0;
        answeredFrames = 0;
        hasSent = false;
        sentAt = System.nanoTime();
    }

    private GlyphwireException notGlyphwire(Throwable cause) {
        String message = "the first line from " + address + " is no greeting; check the port";
        return new GlyphwireException(ErrorCode.NOT_GLYPHWIRE, message, cause);
    }

    /** The server has accepted the options, if there are any. */
    void opened() {
        isOpen = !isLeaving;
        wasOpen = true;
    }

    /** Takes a line after the first that is not fatal, and says whether it is for others. What it throws ends the connection. */
    boolean received(Line line) throws GlyphwireException {
        if (line.isAnswer()) attempts = 0;
        if (line.type.equals("goaway")) {
            isLeaving = true;
            isOpen = false;
        }
        if (line instanceof Result) {
            resultReceived((Result) line);
        } else if (!requests.isEmpty() && requests.element().isAnsweredBy(line)) {
            boolean isOwn = requests.element().isOwn;
            line.hasCaller = true;
            answerReceived(line);
            return !isOwn;
        }
        return true;
    }

    private void resultReceived(Result result) throws GlyphwireException {
        SentFrame first = frames.peek();
        if (first == null) throw GlyphwireException.badLine(result.json, "no frame waits for a result");
        if (first.sequence != result.sequence) {
            String next = "frame " + Long.toUnsignedString(first.sequence) + " is next";
            throw GlyphwireException.badLine(result.json, next);
        }
        frames.remove();
        answeredFrames++;
    }

    private void answerReceived(Line line) throws GlyphwireException {
        Request request = requests.remove();
        if (line.type.equals("error")) {
            request.answer.completeExceptionally(line.refusal());
            return;
        }
        if (request.type == Message.END) {
            if (!frames.isEmpty()) {
                GlyphwireException early = GlyphwireException.badLine(line.json, "the end, but frames have no result");
                request.answer.completeExceptionally(early);
                throw early;
            }
            isOpen = false;
            end = GlyphwireException.closed();
        }
        if (request.type == Message.CONFIGURE) {
            if (request.options != null) accepted(request.options);
            window = line.fields.wholeOrZero("window");
        }
        request.answer.complete(line);
    }

    // How it goes on

    /** The results of frames that will have no other, since the connection is lost. */
    List<Line> lostFrames() {
        List<Line> lost = new ArrayList<>();
        for (SentFrame frame : frames) lost.add(Result.connectionLost(frame.sequence, frame.capturedUs));
        return lost;
    }

    /**
     * Ends a stream that is complete though the server, which stops, has not sent the end line (rule G4): the line, or null.
     *
     * <p>The client's end has crossed the goaway then, and every other message has its answer.
     */
    Line missingEnd(GlyphwireException error) {
        boolean isLast = frames.isEmpty() && requests.size() == 1 && requests.element().type == Message.END;
        if (error.code() != ErrorCode.CONNECTION_LOST || !isLeaving || !isLast) return null;
        Request request = requests.remove();
        Line line = new Line("", new Fields(Map.of("type", "end", "sequence", request.sequence, "frames", answeredFrames)));
        line.hasCaller = true;
        end = GlyphwireException.closed();
        request.answer.complete(line);
        return line;
    }

    /** Takes the loss of a connection, or a failed attempt; the pause before the next, or null if the stream has ended. */
    Duration failed(GlyphwireException error) {
        drop(error);
        if (end != null) return null;
        boolean mayReconnect = policy != null && wasOpen && !isFinishing && !error.isPermanent();
        if (!mayReconnect || attempts >= policy.maxAttempts()) {
            end = error;
            return null;
        }
        attempts++;
        Duration pause = policy.delay(attempts);
        Duration least = error.minimumPause();
        return pause.compareTo(least) < 0 ? least : pause;
    }

    /** Forgets what is unanswered. */
    void drop(GlyphwireException error) {
        for (Request request : requests) request.answer.completeExceptionally(error);
        requests.clear();
        frames.clear();
        isOpen = false;
        isLeaving = false;
    }
}
