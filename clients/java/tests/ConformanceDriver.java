package glyphwire;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Plays a session through this client; clients/conformance says what is asked of it. */
public final class ConformanceDriver {
    private static final int FRAME = 1;
    private static final int CONFIGURE = 2;
    private static final int PING = 3;
    private static final int END = 4;
    private static final int STATS = 5;
    private static final int HEADER_BYTES = 32;
    private static final int LENGTH_BYTES = 4;

    private static final PrintStream OUTPUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** A message of the session. */
    private static final class SessionMessage {
        final int type;
        final ByteBuffer header;
        final byte[] payload;

        SessionMessage(ByteBuffer session) {
            this.type = session.get(session.position() + LENGTH_BYTES);
            this.header = session.slice();
            this.payload = new byte[header.getInt(0) + LENGTH_BYTES - HEADER_BYTES];
            session.position(session.position() + HEADER_BYTES);
            session.get(payload);
        }

        Frame frame() {
            Frame.Format format = Frame.Format.values()[header.get(5) - 1];
            int width = Short.toUnsignedInt(header.getShort(24));
            int height = Short.toUnsignedInt(header.getShort(26));
            return Frame.pixels(payload, format, width, height)
                .withBytesPerRow(header.getInt(28))
                .withOrientation(Frame.Orientation.values()[header.get(6)])
                .withCapturedUs(header.getLong(16))
                .withSequence(header.getLong(8));
        }

        Options options() throws GlyphwireException {
            Options options = new Options();
            String body = new String(payload, StandardCharsets.UTF_8);
            try {
                for (Map.Entry<?, ?> member : ((Map<?, ?>) Json.parse(body)).entrySet()) {
                    options.set(member.getKey().toString(), member.getValue());
                }
            } catch (Json.SyntaxException error) {
                throw new IllegalArgumentException(body, error);
            }
            return options;
        }
    }

    private ConformanceDriver() {
    }

    public static void main(String[] arguments) throws Exception {
        Settings settings = new Settings();
        boolean withWords = false;
        boolean finishFirst = false;
        Duration pause = Duration.ZERO;
        for (int i = 3; i < arguments.length; i++) {
            if (arguments[i].equals("--reconnect")) settings.reconnect(new ReconnectPolicy());
            if (arguments[i].equals("--words")) withWords = true;
            if (arguments[i].equals("--finish-first")) finishFirst = true;
            if (arguments[i].equals("--pause")) pause = seconds(arguments[i + 1]);
            if (arguments[i].equals("--connect-timeout")) settings.connectTimeout(seconds(arguments[i + 1]));
            if (arguments[i].equals("--answer-timeout")) settings.answerTimeout(seconds(arguments[i + 1]));
            if (arguments[i].equals("--ping-interval")) settings.pingInterval(seconds(arguments[i + 1]));
        }
        List<SessionMessage> session = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[2])));
        while (bytes.hasRemaining()) session.add(new SessionMessage(bytes));
        if (!session.isEmpty() && session.get(0).type == CONFIGURE) settings.options(session.remove(0).options());
        try (Connection connection = Connection.connect(arguments[0], Integer.parseInt(arguments[1]), settings)) {
            Thread.sleep(pause.toMillis());
            play(connection, session, withWords, finishFirst);
        } catch (GlyphwireException error) {
            String wireCode = error.wireCode() == null ? "" : " " + error.wireCode();
            System.err.println("client-error: " + error.code() + wireCode + ": " + error.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    private static Duration seconds(String text) {
        return Duration.ofMillis((long) (Double.parseDouble(text) * 1000));
    }

    private static void play(
            Connection connection, List<SessionMessage> session, boolean withWords, boolean finishFirst) throws Exception {
        CompletableFuture<GlyphwireException> sent = new CompletableFuture<>();
        new Thread(() -> sent.complete(send(connection, session))).start();
        if (finishFirst) sent.get();
        try {
            for (Result result = connection.nextResult(); result != null; result = connection.nextResult()) {
                show(result, withWords);
            }
        } finally {
            sent.get();
        }
        if (sent.get() != null) throw sent.get();
    }

    private static GlyphwireException send(Connection connection, List<SessionMessage> session) {
        GlyphwireException failure = null;
        try {
            for (SessionMessage message : session) sendOne(connection, message);
        } catch (GlyphwireException error) {
            failure = error;
        } catch (InterruptedException error) {
            throw new IllegalStateException(error);
        }
        try {
            connection.finish();
        } catch (GlyphwireException error) {
            if (failure == null) failure = error;
        } catch (InterruptedException error) {
            throw new IllegalStateException(error);
        }
        return failure;
    }

    private static void sendOne(Connection connection, SessionMessage message) throws GlyphwireException, InterruptedException {
        switch (message.type) {
            case FRAME: connection.send(message.frame()); break;
            case CONFIGURE: connection.configure(message.options()); break;
            case PING: connection.ping(message.header.getLong(16)); break;
            case STATS: connection.stats(); break;
            case END: break;
            default: throw new IllegalArgumentException("a message of type " + message.type);
        }
    }

    private static void show(Result result, boolean withWords) throws IOException {
        List<String> fields = new ArrayList<>();
        fields.add(Long.toUnsignedString(result.sequence));
        if (withWords) {
            fields.addAll(List.of(result.status, result.code));
            for (Result.Word word : result.words()) fields.add(word.text);
            OUTPUT.print(String.join("\t", fields) + "\n");
        } else if (result.json.isEmpty()) {
            String line = "{\"type\":\"result\",\"sequence\":%s,\"captured_us\":%s,\"status\":\"%s\",\"code\":\"%s\"}\n";
            OUTPUT.printf(line, Long.toUnsignedString(result.sequence), Long.toUnsignedString(result.capturedUs),
                result.status, result.code);
        } else {
            OUTPUT.print(result.json + "\n");
        }
        OUTPUT.flush();
    }
}
