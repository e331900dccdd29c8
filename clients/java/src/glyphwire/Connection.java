package glyphwire;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;

/**
 * A connection to a server: frames go in, their text comes out.
 *
 * <p>Send in one thread and read in another: a server that falls behind stops reading, and {@link #send} waits. Every frame
 * that was sent has exactly one result, in the order of the frames, unless {@link #close} is called.
 */
public final class Connection implements AutoCloseable {
    /** The port that a server listens on by default. */
    public static final int PORT = 7411;

    private static final byte[] NOTHING = {};

    private final String host;
    private final int port;
    private final Settings settings;
    /** Held while a message is written, so that messages follow each other whole; it is taken before {@code stream}. */
    private final ReentrantLock sending = new ReentrantLock();
    /** Guards what follows and itself, and is notified when any of it changes. */
    private final Stream stream;
    private final ArrayDeque<Line> lines = new ArrayDeque<>();
    /** How many of the lines nobody else has: they hold up reading. */
    private int held;
    private final int lineBuffer;
    /** How many calls of {@link #finish} wait, or have sent the end. */
    private int finishers;
    private Link link;
    private final Link.Patience patience = new Link.Patience() {
        @Override
        public long left() throws Link.SilentException {
            pingIdle();
            synchronized (stream) {
                long silence = stream.silenceLeft(settings.answerTimeout.toNanos());
                if (silence <= 0) throw new Link.SilentException();
                return Math.min(silence, stream.pingLeft(settings.pingInterval));
            }
        }

        @Override
        public void heard() {
            synchronized (stream) {
                stream.heard();
            }
        }
    };

    private Connection(String host, int port, Settings settings) {
        this.host = host;
        this.port = port;
        this.settings = settings;
        this.lineBuffer = settings.lineBuffer;
        this.stream = new Stream(host + ":" + port, settings);
    }

    /** Connects to a server with the settings at their defaults. */
    public static Connection connect(String host) throws GlyphwireException {
        return connect(host, PORT, new Settings());
    }

    /**
     * Connects to a server, waits for its greeting, and has it accept the options.
     *
     * <p>The first connection is attempted once, whatever the settings say of reconnecting.
     *
     * @param host A name or an address.
     * @param settings Must not be changed afterwards.
     */
    public static Connection connect(String host, int port, Settings settings) throws GlyphwireException {
        Connection connection = new Connection(host, port, settings);
        Link link = connection.open();
        Thread reader = new Thread(() -> connection.run(link), "glyphwire " + connection.stream.address);
        reader.setDaemon(true);
        reader.start();
        return connection;
    }

    /** The greeting of the server when it was last connected to. */
    public Hello hello() {
        synchronized (stream) {
            return stream.hello;
        }
    }

    // Frames and results

    /** Sends a frame when the server accepts it, and returns the sequence that its result will have. */
    public long send(Frame frame) throws GlyphwireException, InterruptedException {
        sending.lockInterruptibly();
        try {
            long sequence;
            Link open;
            synchronized (stream) {
                open = waitToSend(Message.FRAME);
                sequence = stream.frame(frame);
            }
            write(open, Message.header(frame, sequence), frame.payload);
            return sequence;
        } finally {
            sending.unlock();
        }
    }

    /**
     * Waits until fewer than two frames are unanswered; then take the newest picture of a camera, and send it.
     *
     * <p>So the delay stays short, also over a slow network. Read the results meanwhile: while {@code lineBuffer} of them are
     * unread no answer comes in, and it does not wait.
     */
    public void waitUntilSendable() throws GlyphwireException, InterruptedException {
        synchronized (stream) {
            while (!stream.isSendable(isFull()) && stream.end == null) stream.wait();
            if (stream.end != null) throw stream.end.again();
        }
    }

    /** The result of the next frame; null behind the last. */
    public Result nextResult() throws GlyphwireException, InterruptedException {
        Line line = nextLine();
        while (line != null && !(line instanceof Result)) line = nextLine();
        return (Result) line;
    }

    /** The next line of any type; null behind the last. A line goes either here or to {@link #nextResult}. */
    public Line nextLine() throws GlyphwireException, InterruptedException {
        synchronized (stream) {
            while (lines.isEmpty()) {
                if (stream.end != null && stream.end.code() == ErrorCode.CLOSED) return null;
                if (stream.end != null) throw stream.end.again();
                stream.wait();
            }
            stream.notifyAll();
            Line line = lines.remove();
            if (!line.hasCaller) held--;
            return line;
        }
    }

    /** Has a line wait to be read, with the stream locked. Where nobody reads, one that its caller has is left out. */
    private void keep(Line line) {
        if (line.hasCaller && finishers == 0 && lines.size() >= lineBuffer) return;
        if (!line.hasCaller) held++;
        lines.add(line);
    }

    /**
     * Whether so many lines are unread that reading pauses, with the stream locked.
     *
     * <p>It does not for {@link #finish}: what is under way is bounded then, and whoever finishes may be the one who reads
     * afterwards.
     */
    private boolean isFull() {
        return finishers == 0 && held >= lineBuffer;
    }

    // Requests

    /** Sets the options for the frames that follow, and returns the line with those in force. */
    public Line configure(Options options) throws GlyphwireException, InterruptedException {
        return request(Message.CONFIGURE, new Stream.Body(options), 0);
    }

    /** Asks for a sign of life; the caller's clock is repeated in the pong. */
    public Line ping(long capturedUs) throws GlyphwireException, InterruptedException {
        return request(Message.PING, null, capturedUs);
    }

    /** Asks how long the stages took so far, on this connection and on the whole server. */
    public Line stats() throws GlyphwireException, InterruptedException {
        return request(Message.STATS, null, 0);
    }

    /** Ends the stream, and waits until every frame has its result. Those not read yet still can be. */
    public Line finish() throws GlyphwireException, InterruptedException {
        synchronized (stream) {
            finishers++;
            stream.notifyAll();
        }
        try {
            return request(Message.END, null, 0);
        } finally {
            synchronized (stream) {
                // Interrupted before the end was sent: the stream goes on.
                if (!stream.isFinishing) finishers--;
                stream.notifyAll();
            }
        }
    }

    /** Closes the connection at once. What was received can still be read. */
    @Override
    public void close() {
        synchronized (stream) {
            if (stream.end == null) stream.end = GlyphwireException.closed();
            stream.drop(stream.end);
            if (link != null) link.close();
            stream.notifyAll();
        }
    }

    private Line request(int type, Stream.Body options, long capturedUs) throws GlyphwireException, InterruptedException {
        byte[] body = options == null ? NOTHING : options.options;
        Stream.Request request;
        sending.lockInterruptibly();
        try {
            Link open;
            synchronized (stream) {
                open = waitToSend(type);
                request = stream.request(type, body, capturedUs);
                request.options = options;
            }
            write(open, request.header, body);
        } finally {
            sending.unlock();
        }
        return answer(request);
    }

    private static Line answer(Stream.Request request) throws GlyphwireException, InterruptedException {
        try {
            return request.answer.get();
        } catch (ExecutionException error) {
            throw ((GlyphwireException) error.getCause()).again();
        }
    }

    private Link waitToSend(int type) throws GlyphwireException, InterruptedException {
        while (!stream.maySend(type, isFull()) && stream.end == null) stream.wait();
        if (stream.end != null) throw stream.end.again();
        if (stream.isFinishing) throw GlyphwireException.closed();
        return link;
    }

    /** Sends a message. Its failure is no error here: reading finds the end, behind what the server said. */
    private void write(Link to, byte[] header, byte[] payload) {
        try {
            to.write(header, payload);
        } catch (IOException error) {
            synchronized (stream) {
                // What comes next waits for another connection instead of being lost with this one.
                if (link == to) stream.isOpen = false;
            }
        }
    }

    // The thread that reads

    /**
     * Sends a ping that only the client knows of where one is due, unless somebody sends a message just then.
     *
     * <p>It does not block: what was sent before is answered, and has left the socket.
     */
    private void pingIdle() {
        synchronized (stream) {
            if (stream.pingLeft(settings.pingInterval) > 0) return;
        }
        if (!sending.tryLock()) {
            putPingOff();
            return;
        }
        try {
            Link open;
            Stream.Request ping;
            synchronized (stream) {
                if (stream.pingLeft(settings.pingInterval) > 0) return;
                open = link;
                ping = stream.request(Message.PING, NOTHING, 0);
                ping.isOwn = true;
            }
            write(open, ping.header, NOTHING);
        } catch (GlyphwireException error) {
            // A server whose limit is so low gets none.
            putPingOff();
        } finally {
            sending.unlock();
        }
    }

    /** The time after which a ping is due begins again. */
    private void putPingOff() {
        synchronized (stream) {
            stream.sent();
        }
    }

    private void run(Link first) {
        try {
            for (Link next = first; next != null; ) {
                GlyphwireException error = read(next);
                next.close();
                next = reconnect(error);
            }
        } catch (InterruptedException error) {
            close();
        } catch (Throwable error) {
            // Such as too little memory for a line; callers must not wait for a thread that is gone.
            giveUp(error);
        }
    }

    private void giveUp(Throwable error) {
        String message = "the connection to " + stream.address + " was given up: " + error;
        synchronized (stream) {
            stream.lostFrames().forEach(this::keep);
            if (stream.end == null) stream.end = new GlyphwireException(ErrorCode.CONNECTION_LOST, message, error);
            close();
        }
    }

    /** Reads lines until there are no more, and says why. */
    private GlyphwireException read(Link from) throws InterruptedException {
        try {
            while (true) {
                synchronized (stream) {
                    while (isFull() && stream.end == null) {
                        stream.wait();
                        stream.heard();
                    }
                }
                received(from.readLine());
                synchronized (stream) {
                    if (stream.end != null) return stream.end;
                }
            }
        } catch (IOException error) {
            return lost(error);
        }
    }

    private void received(String json) throws GlyphwireException {
        if (json == null) throw closedByServer();
        Line line = Line.parse(json);
        synchronized (stream) {
            try {
                if (line.isFatal() || stream.received(line)) keep(line);
            } finally {
                stream.notifyAll();
            }
        }
        if (line.isFatal()) throw line.refusal();
    }

    /** Another connection, or null when the stream has ended. */
    private Link reconnect(GlyphwireException reason) throws InterruptedException {
        GlyphwireException error = reason;
        while (true) {
            synchronized (stream) {
                link = null;
                Line end = stream.missingEnd(error);
                if (end != null) keep(end);
                stream.lostFrames().forEach(this::keep);
                Duration pause = stream.failed(error);
                stream.notifyAll();
                if (pause == null) return null;
                long until = System.nanoTime() + pause.toNanos();
                for (long left = pause.toMillis() + 1; left > 0 && stream.end == null; ) {
                    stream.wait(left);
                    left = Duration.ofNanos(until - System.nanoTime()).toMillis();
                }
                if (stream.end != null) return null;
            }
            try {
                return open();
            } catch (GlyphwireException failure) {
                error = failure;
            }
        }
    }

    // Connecting

    /** Connects, waits for the greeting, and has the server accept the options. */
    private Link open() throws GlyphwireException {
        Link opening;
        try {
            opening = Link.connect(host, port, settings);
        } catch (IOException error) {
            throw GlyphwireException.cannotConnect(stream.address, error);
        }
        try {
            synchronized (stream) {
                if (stream.end != null) throw stream.end.again();
                link = opening;
            }
            greet(opening);
            opening.opened(patience);
            synchronized (stream) {
                if (stream.end != null) throw stream.end.again();
                stream.opened();
                stream.notifyAll();
            }
            return opening;
        } catch (IOException error) {
            opening.close();
            // A server that requires a certificate says so only now, with TLS 1.3.
            if (error instanceof SSLException) throw GlyphwireException.cannotConnect(stream.address, error);
            throw lost(error);
        }
    }

    private void greet(Link opening) throws IOException {
        String greeting = opening.readLine();
        if (greeting == null) throw closedBeforeGreeting();
        List<byte[]> first;
        synchronized (stream) {
            stream.greeted(greeting);
            keep(stream.hello);
            first = stream.opening();
        }
        for (byte[] body : first) haveAccepted(opening, body);
    }

    /** Sends options, and reads until they are answered. */
    private void haveAccepted(Link opening, byte[] body) throws IOException {
        Stream.Request request;
        synchronized (stream) {
            // Between the token and the options, which another server is to have (rule G4).
            if (stream.isLeaving) throw closedByServer();
            request = stream.request(Message.CONFIGURE, body, 0);
        }
        opening.write(request.header, request.body);
        while (!request.answer.isDone()) received(opening.readLine());
        try {
            answer(request);
        } catch (GlyphwireException error) {
            synchronized (stream) {
                // The options stay wrong, however often they are sent.
                if (stream.end == null) stream.end = error;
            }
            throw error;
        } catch (InterruptedException error) {
            throw new AssertionError("the answer is there", error);
        }
    }

    private GlyphwireException closedBeforeGreeting() {
        synchronized (stream) {
            // A port that has greeted before is the right one.
            if (stream.hello != null) return closedByServer();
        }
        String message = "the connection to " + stream.address + " was closed before a greeting; is this the port for frames"
            + " (7411), not the one for HTTP? If it is, the server's log says why";
        return new GlyphwireException(ErrorCode.CONNECTION_LOST, message, null);
    }

    private GlyphwireException closedByServer() {
        return lost("was closed by the server", null);
    }

    private GlyphwireException lost(String how, IOException error) {
        synchronized (stream) {
            String advice = stream.isLeaving
                ? "the server stops, and accepted nothing more; connect again later"
                : "the server may have stopped, its log says why";
            String message = "the connection to " + stream.address + " " + how + "; " + advice;
            return new GlyphwireException(ErrorCode.CONNECTION_LOST, message, error);
        }
    }

    private GlyphwireException lost(IOException error) {
        if (error instanceof GlyphwireException) return (GlyphwireException) error;
        if (error instanceof Link.LineTooLongException) {
            String message = stream.address + " sent a line of more than " + settings.maxLineBytes
                + " bytes; ask for less (characters(false)), or raise maxLineBytes";
            return new GlyphwireException(ErrorCode.LINE_TOO_LONG, message, error);
        }
        if (error instanceof Link.SilentException) {
            String message = stream.address + " has sent nothing for " + settings.answerTimeout.toMillis()
                + " ms while messages were unanswered; the server or the network may be down, or answerTimeout too short"
                + " for a server that many share";
            return new GlyphwireException(ErrorCode.CONNECTION_LOST, message, error);
        }
        if (error instanceof SocketTimeoutException) {
            String message = stream.address + " did not greet within " + settings.connectTimeout.toMillis()
                + " ms; check that a Glyphwire server listens there";
            return new GlyphwireException(ErrorCode.TIMED_OUT, message, error);
        }
        return lost("broke: " + error.getMessage(), error);
    }
}
