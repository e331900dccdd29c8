package glyphwire;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;

/**
 * A connection to a server: frames go in, their text comes out.
 *
 * <p>Send in one thread and read in another: a server that falls behind stops reading, and {@link #send} waits. Every frame
 * that was sent has exactly one result, in the order of the frames.
 */
public final class Connection implements AutoCloseable {
    /** The port that a server listens on by default. */
    public static final int PORT = 7411;

    private static final byte[] NOTHING = {};

    private final String host;
    private final int port;
    private final Settings settings;
    /** Held while a message is written, so that messages follow each other whole; it is taken before {@code stream}. */
    private final Object sending = new Object();
    /** Guards what follows and itself, and is notified when any of it changes. */
    private final Stream stream;
    private final ArrayDeque<Line> lines = new ArrayDeque<>();
    private int lineBuffer;
    private Link link;
    private final Link.Patience patience = new Link.Patience() {
        @Override
        public long left() {
            synchronized (stream) {
                return stream.silenceLeft(settings.answerTimeout.toNanos());
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
        synchronized (sending) {
            long sequence;
            Link open;
            synchronized (stream) {
                open = waitUntilOpen();
                sequence = stream.frame(frame);
            }
            write(open, Message.header(frame, sequence), frame.payload);
            return sequence;
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
            return lines.remove();
        }
    }

    // Requests

    /** Sets the options for the frames that follow, and returns the line with those in force. */
    public Line configure(Options options) throws GlyphwireException, InterruptedException {
        return request(Message.CONFIGURE, Stream.body(options), 0);
    }

    /** Asks for a sign of life; the caller's clock is repeated in the pong. */
    public Line ping(long capturedUs) throws GlyphwireException, InterruptedException {
        return request(Message.PING, NOTHING, capturedUs);
    }

    /** Asks how long the stages took so far, on this connection and on the whole server. */
    public Line stats() throws GlyphwireException, InterruptedException {
        return request(Message.STATS, NOTHING, 0);
    }

    /** Ends the stream, and waits until every frame has its result. Those not read yet still can be. */
    public Line finish() throws GlyphwireException, InterruptedException {
        synchronized (stream) {
            // What is under way is bounded, and whoever finishes may be the one who reads afterwards.
            lineBuffer = Integer.MAX_VALUE;
            stream.notifyAll();
        }
        return request(Message.END, NOTHING, 0);
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

    private Line request(int type, byte[] body, long capturedUs) throws GlyphwireException, InterruptedException {
        Stream.Request request;
        synchronized (sending) {
            Link open;
            synchronized (stream) {
                open = waitUntilOpen();
                request = stream.request(type, body, capturedUs);
            }
            write(open, request.header, body);
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

    private Link waitUntilOpen() throws GlyphwireException, InterruptedException {
        while (!stream.isOpen && stream.end == null) stream.wait();
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

    private void run(Link first) {
        try {
            for (Link next = first; next != null; ) {
                GlyphwireException error = read(next);
                next.close();
                next = reconnect(error);
            }
        } catch (InterruptedException error) {
            close();
        }
    }

    /** Reads lines until there are no more, and says why. */
    private GlyphwireException read(Link from) throws InterruptedException {
        try {
            while (true) {
                synchronized (stream) {
                    while (lines.size() >= lineBuffer && stream.end == null) {
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
                if (!line.isFatal()) stream.received(line);
                lines.add(line);
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
                lines.addAll(stream.lostFrames());
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
            String message = "cannot connect to " + stream.address + ": " + error.getMessage()
                + "; check that a server listens there (glyphwire serve) and that host and port are right";
            throw new GlyphwireException(ErrorCode.CANNOT_CONNECT, message, error);
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
            throw lost(error);
        }
    }

    private void greet(Link opening) throws IOException {
        String greeting = opening.readLine();
        if (greeting == null) throw closedByServer();
        Stream.Request request;
        synchronized (stream) {
            stream.greeted(greeting);
            lines.add(stream.hello);
            if (stream.options == null) return;
            request = stream.request(Message.CONFIGURE, stream.options, 0);
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

    private GlyphwireException closedByServer() {
        String message = "the connection to " + stream.address
            + " was closed by the server; it may have stopped, its log says why";
        return new GlyphwireException(ErrorCode.CONNECTION_LOST, message, null);
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
        String message = "the connection to " + stream.address + " broke: " + error.getMessage()
            + "; the server may have stopped, its log says why";
        return new GlyphwireException(ErrorCode.CONNECTION_LOST, message, error);
    }
}
