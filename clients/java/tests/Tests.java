package glyphwire;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Tests of the client, without a test framework, which the Java platform does not have. */
final class Tests {
    private interface Test {
        void run() throws Exception;
    }

    /** Longer than anything here takes. */
    private static final int PATIENCE_SECONDS = 30;
    private static final char[] PASSWORD = "password".toCharArray();

    private static final Map<String, Test> TESTS = new LinkedHashMap<>();

    static {
        TESTS.put("headers are those of the protocol", Tests::headers);
        TESTS.put("JSON is read in any spelling, and numbers are not rounded", Tests::readJson);
        TESTS.put("what is not JSON is refused", Tests::refuseJson);
        TESTS.put("options are written by their names", Tests::writeOptions);
        TESTS.put("pauses double up to the longest", Tests::pauses);
        TESTS.put("pauses without end are taken", Tests::longPauses);
        TESTS.put("only an answer starts the pauses over", Tests::pausesStartOver);
        TESTS.put("requests are answered", Tests::requests);
        TESTS.put("a stream may finish before it is read", Tests::finishFirst);
        TESTS.put("options that are refused name the reason", Tests::refusedOptions);
        TESTS.put("a port that does not greet may be the one for HTTP", Tests::mutePort);
        TESTS.put("a port that has greeted is not asked about", Tests::muteServer);
        TESTS.put("whoever is interrupted sends nothing", Tests::interruption);
        TESTS.put("closing ends whoever waits", Tests::closeWaiting);
        TESTS.put("closing ends a pause", Tests::closePausing);
        TESTS.put("answers that nobody reads hold up nothing", Tests::unreadAnswers);
        TESTS.put("a connection with nothing to send pings", Tests::idlePings);
        TESTS.put("without an interval, or before the token, there are no pings", Tests::noPings);
        TESTS.put("behind a goaway nothing is sent until there is another connection", Tests::goaway);
        TESTS.put("an end that crosses a goaway is one, since every frame has its result", Tests::crossedEnd);
        TESTS.put("the time to answer counts from when a message was sent", Tests::sentParts);
        TESTS.put("what no header holds is refused", Tests::sizes);
        TESTS.put("times without end are taken", Tests::longTimes);
        TESTS.put("a server that says goaway and does not go is given up", Tests::silenceOfLeaving);
        TESTS.put("no answer is late while the socket takes parts of a message", Tests::movedParts);
        TESTS.put("few files are under way, and the end is behind them", Tests::window);
        TESTS.put("a frame of a camera is sendable while fewer than two are unanswered", Tests::sendable);
        TESTS.put("whoever waits until a frame is sendable goes on with an answer and with the end", Tests::untilSendable);
        TESTS.put("results that nobody reads hold up no frame of a camera", Tests::unreadResults);
        TESTS.put("a token goes alone where options lack it, or are too long", Tests::opening);
        TESTS.put("a failure of the client's own leaves nobody waiting", Tests::ownFailure);
        TESTS.put("TLS is spoken with who is trusted only", Tests::tls);
        TESTS.put("a handshake that breaks off may be tried again", Tests::brokenHandshake);
        TESTS.put("a server that takes no more counts as dead, with TLS too", Tests::stalledTls);
        TESTS.put("the command prints pictures with their names", Tests::command);
        TESTS.put("the command waits for its server", Tests::commandWaits);
        TESTS.put("the command fails where nothing is found", Tests::commandFinds);
        TESTS.put("wrong usage says what is right", Tests::wrongUsage);
    }

    private Tests() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<String> failed = new ArrayList<>();
        for (Map.Entry<String, Test> test : TESTS.entrySet()) {
            try {
                within(() -> {
                    test.getValue().run();
                    return null;
                });
                System.out.println("ok     " + test.getKey());
            } catch (Exception error) {
                System.out.println("FAILED " + test.getKey());
                error.printStackTrace(System.out);
                failed.add(test.getKey());
            }
        }
        System.out.println(TESTS.size() - failed.size() + " passed, " + failed.size() + " failed");
        System.exit(failed.isEmpty() ? 0 : 1);
    }

    // Tools

    private static void equal(Object found, Object expected) {
        if (!expected.equals(found)) throw new AssertionError(found + " instead of " + expected);
    }

    private static void holds(boolean claim, Object shown) {
        if (!claim) throw new AssertionError(String.valueOf(shown));
    }

    /** What work returns; it fails where it hangs. */
    private static <T> T within(Callable<T> work) throws Exception {
        return later(work).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static <T> CompletableFuture<T> later(Callable<T> work) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                outcome.complete(work.call());
            } catch (Throwable error) {
                outcome.completeExceptionally(error);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return outcome;
    }

    private static ErrorCode codeOf(Callable<?> work) throws Exception {
        try {
            within(work);
        } catch (ExecutionException error) {
            if (error.getCause() instanceof GlyphwireException) return ((GlyphwireException) error.getCause()).code();
            throw error;
        }
        throw new AssertionError("nothing went wrong");
    }

    // Encoding

    private static void headers() {
        Frame frame = Frame.jpeg(new byte[48213]).withOrientation(Frame.Orientation.RIGHT).withCapturedUs(1763704800126144L);
        String jpeg = "0000bc71010106000000000000000002000644148619a4c00000000000000000";
        equal(hex(Message.header(frame, 2)), jpeg);
        Frame gray = Frame.pixels(new byte[38], Frame.Format.GRAY, 8, 4).withBytesPerRow(10);
        equal(hex(Message.header(gray, 3)), "000000420105000000000000000000030000000000000000000800040000000a");
    }

    private static String hex(byte[] bytes) {
        return String.format("%0" + 2 * bytes.length + "x", new BigInteger(1, bytes));
    }

    private static void readJson() throws Exception {
        Map<?, ?> members = (Map<?, ?>) Json.parse(" {\"a\\u0041\\n\" : [1 , -2.5e1,\ttrue,null,{}], \"b\":18446744073709551615} ");
        equal(members.get("aA\n"), Arrays.asList(1L, -25.0, true, null, Map.of()));
        equal(members.get("b"), new BigInteger("18446744073709551615"));
        equal(Json.parse("9007199254740993"), 9007199254740993L);
        equal(Json.parse("\"\\ud834\\udd04\""), "\ud834\udd04");
    }

    private static void refuseJson() {
        String deep = "[".repeat(100000);
        for (String text : List.of("", "{", "[1,]", "{\"a\"}", "01", "1.", "nul", "\"\\x\"", "\"\n\"", "{} {}", "\"\\u12", deep)) {
            try {
                throw new AssertionError(text + " is read as " + Json.parse(text));
            } catch (Json.SyntaxException error) {
                holds(error.getMessage() != null, text);
            }
        }
    }

    private static void writeOptions() {
        equal(new Options().json(), "{}");
        Options options = new Options().level("accurate").characters(false).languageCorrection(false).regionOfInterest(0, 0.5, 1, 0.5)
            .regions(new Options.Region("meter").regionOfInterest(0, 0, 1, 0.5).characterSet("0-9"),
                new Options.Region("sign").polygon(0, 0, 1, 0, 0.5, 1).find("EXIT").minimumTextHeight(0.25)).clockOffsetUs(0)
            .find("a \"b\"", "/\\d/").set("colour", null);
        equal(options.json(), "{\"characters\":false,\"clock_offset_us\":0,\"colour\":null,"
            + "\"find\":[\"a \\u0022b\\u0022\",\"/\\u005cd/\"],\"languageCorrection\":false,\"level\":\"accurate\",\"regionOfInterest\":[0.0,0.5,1.0,0.5],"
            + "\"regions\":[{\"characterSet\":\"0-9\",\"name\":\"meter\",\"regionOfInterest\":[0.0,0.0,1.0,0.5]},"
            + "{\"find\":[\"EXIT\"],\"minimumTextHeight\":0.25,\"name\":\"sign\",\"polygon\":[0.0,0.0,1.0,0.0,0.5,1.0]}]}");
        equal(new Options().token("open sesame").toString(), "Options[token]");
    }

    // Reconnecting

    private static void pauses() {
        ReconnectPolicy policy = new ReconnectPolicy();
        long[] expected = {100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000};
        for (int i = 0; i < expected.length; i++) equal(policy.delay(i + 1, 0).toMillis(), expected[i]);
        equal(policy.delay(1, 1).toMillis(), 80L);
        equal(policy.delay(Integer.MAX_VALUE, 1).toMillis(), 8000L);
    }

    private static void longPauses() {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        ReconnectPolicy policy = new ReconnectPolicy(10, endless, 2, endless, 0);
        equal(policy.delay(1).toDays(), 36_500L);
        equal(policy.delay(Integer.MAX_VALUE).toDays(), 36_500L);
        equal(new ReconnectPolicy(10, Duration.ofMillis(100), 2, endless, 0).delay(1).toMillis(), 100L);
    }

    private static void pausesStartOver() throws Exception {
        ReconnectPolicy policy = new ReconnectPolicy(10, Duration.ofMillis(100), 2, Duration.ofSeconds(10), 0);
        Stream stream = new Stream("server", new Settings().reconnect(policy));
        List<Long> pauses = new ArrayList<>();
        for (int attempt = 0; attempt < 4; attempt++) {
            stream.greeted("{\"type\":\"hello\",\"protocol\":1}");
            stream.opened();
            if (attempt == 3) stream.received(Line.parse("{\"type\":\"pong\",\"sequence\":1}"));
            pauses.add(stream.failed(GlyphwireException.refused("too_many_connections", "")).toMillis());
        }
        equal(pauses, List.of(100L, 200L, 400L, 100L));
        equal(stream.failed(GlyphwireException.refused("too_many_guesses", "")), Duration.ofMinutes(1));
        holds(GlyphwireException.refused("wrong_protocol", "").isPermanent(), "wrong_protocol is final");
    }

    // Connections

    private static void requests() throws Exception {
        try (StubServer server = new StubServer(StubServer::serve);
                Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings())) {
            equal(connection.configure(new Options().level("fast")).type, "configured");
            equal(connection.ping(7).members().get("captured_us"), 7L);
            equal(connection.stats().type, "stats");
            equal(connection.finish().members().get("frames"), 3L);
            equal(codeOf(() -> connection.ping(0)), ErrorCode.CLOSED);
            equal(server.configurations, List.of("{\"level\":\"fast\"}"));
        }
    }

    private static void finishFirst() throws Exception {
        try (StubServer server = new StubServer(StubServer::serve);
                Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings().lineBuffer(1))) {
            int frames = 200;
            for (int i = 0; i < frames; i++) connection.send(Frame.jpeg(new byte[9]));
            connection.finish();
            for (int i = 1; i <= frames; i++) {
                Result result = connection.nextResult();
                equal(result.sequence, (long) i);
                equal(result.words().size(), 2);
            }
            holds(connection.nextResult() == null, "the end");
        }
    }

    private static void refusedOptions() throws Exception {
        StubServer.Script refuse = peer -> {
            peer.greet();
            peer.next();
            peer.say("{\"type\":\"error\",\"sequence\":%d,\"code\":\"bad_option\",\"message\":\"no\",\"fatal\":false}", peer.sequence);
            peer.next();
        };
        try (StubServer server = new StubServer(refuse)) {
            Settings settings = new Settings().options(new Options().level("turbo"));
            Connection.connect("127.0.0.1", server.port(), settings);
            throw new AssertionError("they were accepted");
        } catch (GlyphwireException error) {
            equal(error.code() + " " + error.wireCode(), "refused bad_option");
        }
    }

    private static void mutePort() throws Exception {
        try (StubServer server = new StubServer(peer -> { })) {
            Connection.connect("127.0.0.1", server.port(), new Settings());
            throw new AssertionError("connected");
        } catch (GlyphwireException error) {
            equal(error.code(), ErrorCode.CONNECTION_LOST);
            holds(error.getMessage().contains("is this the port for frames (7411)"), error.getMessage());
        }
    }

    private static void muteServer() throws Exception {
        ReconnectPolicy policy = new ReconnectPolicy(1, Duration.ofMillis(1), 2, Duration.ofMillis(1), 0);
        try (StubServer server = new StubServer(StubServer.Peer::greet, peer -> { });
                Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings().reconnect(policy))) {
            connection.nextResult();
            throw new AssertionError("the connection lives");
        } catch (GlyphwireException error) {
            equal(error.code(), ErrorCode.CONNECTION_LOST);
            holds(error.getMessage().contains("closed by the server; the server may have stopped"), error.getMessage());
        }
    }

    private static void interruption() throws Exception {
        try (StubServer server = new StubServer(StubServer::serve);
                Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings())) {
            Thread.currentThread().interrupt();
            try {
                connection.ping(0);
                throw new AssertionError("a ping has an answer");
            } catch (InterruptedException error) {
                equal(connection.ping(0).fields.whole("sequence"), 1L);
            }
        }
    }

    private static void closeWaiting() throws Exception {
        CompletableFuture<Boolean> asked = new CompletableFuture<>();
        StubServer.Script silent = peer -> {
            peer.greet();
            asked.complete(peer.next());
            peer.next();
        };
        try (StubServer server = new StubServer(silent);
                Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings())) {
            CompletableFuture<Line> pong = later(() -> connection.ping(0));
            CompletableFuture<Result> result = later(connection::nextResult);
            asked.get();
            connection.close();
            equal(codeOf(() -> {
                try {
                    return pong.get();
                } catch (ExecutionException error) {
                    throw (Exception) error.getCause();
                }
            }), ErrorCode.CLOSED);
            holds(result.get(PATIENCE_SECONDS, TimeUnit.SECONDS) == null, "no result");
        }
    }

    private static void closePausing() throws Exception {
        StubServer.Script leave = peer -> {
            peer.greet();
            peer.next();
        };
        ReconnectPolicy patient = new ReconnectPolicy(10, Duration.ofHours(1), 2, Duration.ofHours(1), 0);
        try (StubServer server = new StubServer(leave)) {
            Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings().reconnect(patient));
            equal(codeOf(() -> connection.ping(0)), ErrorCode.CONNECTION_LOST);
            CompletableFuture<ErrorCode> sent = later(() -> codeOf(() -> connection.send(Frame.jpeg(new byte[9]))));
            connection.close();
            equal(sent.get(PATIENCE_SECONDS, TimeUnit.SECONDS), ErrorCode.CLOSED);
        }
    }

    private static void unreadAnswers() throws Exception {
        try (StubServer server = new StubServer(StubServer::serve);
                Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings().lineBuffer(4))) {
            for (int i = 0; i < 100; i++) connection.ping(0);
        }
    }

    private static void crossedEnd() throws Exception {
        StubServer.Script cross = peer -> {
            peer.greet();
            peer.next();
            long frame = peer.sequence;
            peer.next();
            peer.say("{\"type\":\"goaway\",\"grace_ms\":1000}");
            peer.type = Message.FRAME;
            peer.sequence = frame;
            peer.answer();
        };
        for (ReconnectPolicy policy : new ReconnectPolicy[] {null, new ReconnectPolicy()}) {
            try (StubServer server = new StubServer(cross);
                    Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings().reconnect(policy))) {
                connection.send(Frame.jpeg(new byte[9]));
                Line end = connection.finish();
                equal(end.members().get("frames"), 1L);
                equal(end.json, "");
                equal(connection.nextResult().status, "ok");
                holds(connection.nextResult() == null, "the end");
            }
        }
    }

    private static void sendable() throws Exception {
        Stream stream = new Stream("server", new Settings());
        stream.greeted("{\"type\":\"hello\",\"protocol\":1}");
        holds(!stream.isSendable(true), "no connection is open");
        stream.opened();
        for (int i = 0; i < Stream.CAMERA_FRAMES; i++) {
            holds(stream.isSendable(false), i);
            stream.frame(Frame.jpeg(new byte[9]));
        }
        holds(!stream.isSendable(false), "two are unanswered");
        holds(stream.isSendable(true), "their answers cannot come in");
        stream.received(Line.parse("{\"type\":\"result\",\"sequence\":1,\"status\":\"ok\"}"));
        holds(stream.isSendable(false), "one is unanswered");
    }

    private static void unreadResults() throws Exception {
        try (StubServer server = new StubServer(StubServer::serve);
                Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings().lineBuffer(1))) {
            for (int i = 0; i < 6; i++) {
                connection.waitUntilSendable();
                connection.send(Frame.jpeg(new byte[9]));
            }
            connection.finish();
            for (int i = 0; i < 6; i++) equal(connection.nextResult().status, "ok");
        }
    }

    private static void untilSendable() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        StubServer.Script late = peer -> {
            peer.greet();
            peer.next();
            long first = peer.sequence;
            peer.next();
            try {
                mayAnswer.await();
            } catch (InterruptedException error) {
                return;
            }
            peer.sequence = first;
            peer.answer();
            peer.next();
        };
        try (StubServer server = new StubServer(late);
                Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings())) {
            for (int i = 0; i < Stream.CAMERA_FRAMES; i++) {
                connection.waitUntilSendable();
                connection.send(Frame.jpeg(new byte[9]));
            }
            CompletableFuture<Long> waited = later(() -> {
                connection.waitUntilSendable();
                return mayAnswer.getCount();
            });
            mayAnswer.countDown();
            equal(waited.get(PATIENCE_SECONDS, TimeUnit.SECONDS), 0L);
            connection.close();
            equal(codeOf(() -> {
                connection.waitUntilSendable();
                return null;
            }), ErrorCode.CLOSED);
        }
    }

    private static void idlePings() throws Exception {
        CountDownLatch pings = new CountDownLatch(3);
        StubServer.Script count = peer -> {
            peer.greet();
            while (peer.next()) {
                if (peer.type == Message.PING) pings.countDown();
                peer.answer();
            }
        };
        Settings often = new Settings().pingInterval(Duration.ofMillis(20));
        try (StubServer server = new StubServer(count);
                Connection connection = Connection.connect("127.0.0.1", server.port(), often)) {
            pings.await();
            connection.finish();
            equal(connection.nextLine().type, "hello");
            equal(connection.nextLine().type, "end");
        }
    }

    private static void noPings() throws Exception {
        for (Duration never : new Duration[] {null, Duration.ZERO, Duration.ofSeconds(-1)}) {
            equal(pingLeft("none", new Settings().pingInterval(never)), Long.MAX_VALUE);
        }
        equal(pingLeft("token", new Settings()), Long.MAX_VALUE);
        holds(pingLeft("none", new Settings()) <= Duration.ofSeconds(2).toNanos(), "the first ping is early");
    }

    /** The time until the first ping to a server that asks for this. */
    private static long pingLeft(String auth, Settings settings) throws GlyphwireException {
        Stream stream = new Stream("server", settings);
        stream.greeted("{\"type\":\"hello\",\"protocol\":1,\"auth\":\"" + auth + "\"}");
        stream.opened();
        return stream.pingLeft(settings.pingInterval);
    }

    private static void goaway() throws Exception {
        CompletableFuture<Boolean> isSilent = new CompletableFuture<>();
        StubServer.Script leave = peer -> {
            peer.greet();
            peer.next();
            peer.say("{\"type\":\"goaway\",\"grace_ms\":1000}");
            peer.answer();
            isSilent.complete(!peer.nextWithin(100));
        };
        try (StubServer server = new StubServer(leave, StubServer::serve);
                Connection connection = Connection.connect(
                    "127.0.0.1", server.port(), new Settings().reconnect(new ReconnectPolicy()))) {
            connection.ping(0);
            equal(connection.send(Frame.jpeg(new byte[9])), 1L);
            connection.finish();
            holds(isSilent.get(), "a message was sent behind the goaway");
            holds(connection.nextResult().isOk(), "the frame was sent to the next server");
        }
    }

    private static void sentParts() throws Exception {
        Stream stream = new Stream("server", new Settings());
        stream.greeted("{\"type\":\"hello\",\"protocol\":1}");
        long limit = Duration.ofMinutes(1).toNanos();
        stream.silentSince -= 2 * limit;
        stream.frame(Frame.jpeg(new byte[9]));
        holds(stream.silenceLeft(limit) > 0, "a frame is late at once");
        stream.silentSince -= 2 * limit;
        stream.frame(Frame.jpeg(new byte[9]));
        holds(stream.silenceLeft(limit) <= 0, "the frame before it is not late");
    }

    private static void sizes() {
        int[][] wrong = {{65_536, 1}, {1, 65_536}, {-1, 1}, {1, -1}};
        for (int[] size : wrong) refuses(() -> Frame.pixels(new byte[9], Frame.Format.GRAY, size[0], size[1]));
        Frame largest = Frame.pixels(new byte[9], Frame.Format.GRAY, 65_535, 65_535);
        refuses(() -> largest.withBytesPerRow(-1));
    }

    /** That an argument is refused before anything is sent. */
    private static void refuses(Runnable call) {
        try {
            call.run();
        } catch (IllegalArgumentException error) {
            return;
        }
        throw new AssertionError("it was taken");
    }

    private static void longTimes() throws Exception {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        Settings settings = new Settings().connectTimeout(forever).answerTimeout(forever).pingInterval(forever);
        try (StubServer server = new StubServer(StubServer::serve);
                Connection connection = Connection.connect("127.0.0.1", server.port(), settings)) {
            connection.send(Frame.jpeg(new byte[9]));
            holds(connection.nextResult().isOk(), "the frame has no result");
            connection.finish();
        }
    }

    private static void silenceOfLeaving() throws Exception {
        Stream stream = new Stream("server", new Settings());
        stream.greeted("{\"type\":\"hello\",\"protocol\":1}");
        long limit = Duration.ofMinutes(1).toNanos();
        stream.silentSince = System.nanoTime() - 2 * limit;
        holds(stream.silenceLeft(limit) > 0, "nothing is due");
        stream.received(Line.parse("{\"type\":\"goaway\",\"grace_ms\":1000}"));
        holds(stream.silenceLeft(limit) <= 0, "the server should have closed");
    }

    private static void movedParts() throws Exception {
        int[] parts = {0};
        Link.Patience count = new Link.Patience() {
            @Override
            public long left() {
                return Long.MAX_VALUE;
            }

            @Override
            public void heard() {
                parts[0]++;
            }
        };
        try (StubServer server = new StubServer(StubServer::serve);
                Link link = Link.connect("127.0.0.1", server.port(), new Settings())) {
            link.opened(count);
            for (int payload : new int[] {Link.WRITE_BYTES, 3 * Link.WRITE_BYTES + 1}) {
                link.write(Message.header(Message.PING, 1, 0, payload), new byte[payload]);
                equal(parts[0], payload / Link.WRITE_BYTES - 1 + payload % Link.WRITE_BYTES);
            }
        }
    }

    private static void window() throws Exception {
        Stream stream = new Stream("server", new Settings());
        stream.greeted("{\"type\":\"hello\",\"protocol\":1}");
        stream.opened();
        stream.request(Message.CONFIGURE, new byte[0], 0);
        stream.received(Line.parse("{\"type\":\"configured\",\"sequence\":1,\"window\":1}"));
        for (int i = 0; i < Stream.FRAMES_PER_WINDOW; i++) {
            holds(stream.maySend(Message.FRAME, false), i);
            stream.frame(Frame.jpeg(new byte[9]));
        }
        holds(!stream.maySend(Message.FRAME, false) && !stream.maySend(Message.END, true), "what has to wait");
        holds(stream.maySend(Message.FRAME, true) && stream.maySend(Message.PING, false), "what need not");
    }

    private static void opening() throws Exception {
        Options options = new Options().client("camera 7").token("secret");
        Stream stream = new Stream("server", new Settings().options(options));
        String whole = options.json();
        String token = "{\"token\":\"secret\"}";
        int length = whole.length() + Message.HEADER_BYTES - Message.LENGTH_BYTES;
        equal(first(stream, "token", length), List.of(whole));
        equal(first(stream, "token", length - 1), List.of(token, whole));
        equal(first(stream, "none", length - 1), List.of(whole));
        stream.accepted(new Stream.Body(new Options()));
        equal(first(stream, "token", length), List.of(token, "{}"));
        equal(first(stream, "none", length), List.of("{}"));
        stream.accepted(new Stream.Body(new Options().token("another")));
        stream.accepted(new Stream.Body(new Options()));
        equal(first(stream, "token", length), List.of("{\"token\":\"another\"}", "{}"));
        equal(first(new Stream("server", new Settings()), "token", length), List.of());
    }

    /** What is sent first to a server that asks for this, and takes messages of so many bytes before the token. */
    private static List<String> first(Stream stream, String auth, int limit) throws GlyphwireException {
        stream.greeted("{\"type\":\"hello\",\"protocol\":1,\"auth\":\"" + auth + "\",\"limits\":{"
            + "\"max_unauthenticated_bytes\":" + limit + "}}");
        List<String> bodies = new ArrayList<>();
        for (byte[] body : stream.opening()) bodies.add(new String(body, StandardCharsets.UTF_8));
        return bodies;
    }

    private static void ownFailure() throws Exception {
        StubServer.Script leave = peer -> {
            peer.greet();
            peer.next();
        };
        SSLContext context = ownContext();
        ReconnectPolicy quick = new ReconnectPolicy(10, Duration.ofMillis(1), 2, Duration.ofMillis(1), 0);
        Settings settings = new Settings().reconnect(quick).tls(failingAfterOne(context));
        try (StubServer server = secured(context, leave);
                Connection connection = Connection.connect("127.0.0.1", server.port(), settings)) {
            connection.send(Frame.jpeg(new byte[9]));
            equal(connection.nextResult().code, "connection_lost");
            equal(codeOf(connection::nextResult), ErrorCode.CONNECTION_LOST);
            equal(codeOf(() -> connection.send(Frame.jpeg(new byte[9]))), ErrorCode.CONNECTION_LOST);
        }
    }

    // TLS

    /** Fails at the second connection, as a client's own fault would. */
    private static SSLContext failingAfterOne(SSLContext context) {
        AtomicBoolean hasConnected = new AtomicBoolean();
        SSLContextSpi failing = new SSLContextSpi() {
            @Override
            protected SSLSocketFactory engineGetSocketFactory() {
                if (hasConnected.getAndSet(true)) throw new IllegalStateException("no second socket");
                return context.getSocketFactory();
            }

            @Override
            protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {}

            @Override
            protected SSLServerSocketFactory engineGetServerSocketFactory() {
                return context.getServerSocketFactory();
            }

            @Override
            protected SSLEngine engineCreateSSLEngine() {
                return context.createSSLEngine();
            }

            @Override
            protected SSLEngine engineCreateSSLEngine(String host, int port) {
                return context.createSSLEngine(host, port);
            }

            @Override
            protected SSLSessionContext engineGetServerSessionContext() {
                return context.getServerSessionContext();
            }

            @Override
            protected SSLSessionContext engineGetClientSessionContext() {
                return context.getClientSessionContext();
            }
        };
        return new SSLContext(failing, context.getProvider(), context.getProtocol()) {};
    }

    /** Speaks TLS as 127.0.0.1, and trusts itself alone. */
    private static SSLContext ownContext() throws Exception {
        Path store = Files.createTempDirectory("glyphwire").resolve("store.p12");
        Process keytool = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-keyalg", "EC", "-alias",
            "own", "-dname", "CN=server", "-ext", "san=ip:127.0.0.1", "-storetype", "PKCS12", "-keystore", store.toString(),
            "-storepass", new String(PASSWORD)).redirectErrorStream(true).start();
        keytool.getInputStream().readAllBytes();
        equal(keytool.waitFor(), 0);
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (FileInputStream file = new FileInputStream(store.toFile())) {
            own.load(file, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust(own).getTrustManagers(), null);
        return context;
    }

    private static TrustManagerFactory trust(KeyStore own) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("own", own.getCertificate("own"));
        trust.init(trusted);
        return trust;
    }

    private static StubServer secured(SSLContext context, StubServer.Script script) throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        return new StubServer(context.getServerSocketFactory().createServerSocket(0, 0, here), script);
    }

    private static void tls() throws Exception {
        SSLContext context = ownContext();
        try (StubServer server = secured(context, StubServer::serve)) {
            try (Connection connection = Connection.connect("127.0.0.1", server.port(), new Settings().tls(context))) {
                for (int i = 0; i < 3; i++) connection.send(Frame.jpeg(new byte[1 << 20]));
                equal(connection.finish().members().get("frames"), 3L);
            }
            refuses("127.0.0.1", server.port(), SSLContext.getDefault(), "--tls-ca");
            refuses("localhost", server.port(), context, "host name");
        }
        try (StubServer plain = new StubServer(StubServer::serve)) {
            refuses("127.0.0.1", plain.port(), context, "speaks TLS");
        }
    }

    /** That no other attempt is worth making, and that the remedy is told. */
    private static void refuses(String host, int port, SSLContext context, String remedy) throws Exception {
        try (Connection connection = Connection.connect(host, port, new Settings().tls(context))) {
            throw new AssertionError("connected to " + connection.hello().json);
        } catch (GlyphwireException error) {
            equal(error.code(), ErrorCode.CANNOT_CONNECT);
            holds(error.isPermanent() && error.getMessage().contains(remedy), error.getMessage());
        }
    }

    private static void brokenHandshake() throws Exception {
        try (StubServer server = new StubServer(peer -> { })) {
            Connection.connect("127.0.0.1", server.port(), new Settings().tls(SSLContext.getDefault()));
            throw new AssertionError("connected");
        } catch (GlyphwireException error) {
            equal(error.code(), ErrorCode.CANNOT_CONNECT);
            holds(!error.isPermanent(), error.getMessage());
        }
    }

    private static void stalledTls() throws Exception {
        SSLContext context = ownContext();
        CountDownLatch end = new CountDownLatch(1);
        StubServer.Script stall = peer -> {
            peer.greet();
            try {
                end.await();
            } catch (InterruptedException error) {
                throw new IOException(error);
            }
        };
        Settings hasty = new Settings().tls(context).answerTimeout(Duration.ofMillis(200));
        try (StubServer server = secured(context, stall);
                Connection connection = Connection.connect("127.0.0.1", server.port(), hasty)) {
            equal(codeOf(() -> {
                while (true) connection.send(Frame.jpeg(new byte[3 << 20]));
            }), ErrorCode.CONNECTION_LOST);
            equal(connection.nextResult().code, "connection_lost");
        }
        end.countDown();
    }

    // The command line

    /** The exit status, standard output and standard error. */
    private static List<String> run(int port, String... arguments) throws Exception {
        StringWriter output = new StringWriter();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        List<String> all = new ArrayList<>(List.of(arguments));
        if (port != 0) all.addAll(List.of("--host", "127.0.0.1", "--port", String.valueOf(port)));
        int status = Command.run(
            all.toArray(new String[0]), output, new PrintStream(errors, true, StandardCharsets.UTF_8));
        return List.of(String.valueOf(status), output.toString(), errors.toString(StandardCharsets.UTF_8));
    }

    private static String file(String content) throws Exception {
        return Files.writeString(Files.createTempDirectory("glyphwire").resolve("file"), content).toString();
    }

    private static void command() throws Exception {
        try (StubServer server = new StubServer(StubServer::serve)) {
            String photo = file("a JPEG");
            List<String> outcome = run(server.port(), photo, "--level", "accurate", photo, "--token-file", file("open sesame\n"),
                "--option", "languages=[\"en\"]", "--option", "coordinates=vision");
            equal(outcome, List.of("0", (photo + "\tEXIT\t42\n").repeat(2), ""));
            String own = "{\"characters\":false,\"coordinates\":\"vision\",%s\"languages\":[\"en\"],\"level\":\"accurate\","
                + "\"token\":\"open sesame\"}";
            equal(server.configurations, List.of(String.format(own, ""), String.format(own, "\"delivery\":\"every\",")));
        }
    }

    private static void commandWaits() throws Exception {
        StubServer.Script leave = peer -> { };
        try (StubServer server = new StubServer(leave, StubServer::serve)) {
            List<String> outcome = run(server.port(), file("a JPEG"));
            equal(outcome.get(0), "0");
            holds(outcome.get(2).startsWith("glyphwire: waiting for the server: "), outcome);
        }
        try (StubServer server = new StubServer(leave, StubServer::serve)) {
            equal(run(server.port(), file("a JPEG"), "--no-wait").get(0), "1");
        }
    }

    private static void commandFinds() throws Exception {
        String[] found = {"", "{\"pattern\":0,\"text\":\"EXIT\",\"line\":0,\"words\":[0],\"box\":[0,0,0,0,0,0,0,0]}"};
        for (int i = 0; i < found.length; i++) {
            String matches = found[i];
            StubServer.Script script = peer -> {
                peer.greet();
                while (peer.next()) {
                    if (peer.type != Message.FRAME) peer.answer();
                    else peer.say("{\"type\":\"result\",\"sequence\":%d,\"status\":\"ok\",\"matches\":[%s]}", peer.sequence, matches);
                }
            };
            try (StubServer server = new StubServer(script)) {
                String photo = file("a JPEG");
                List<String> outcome = run(server.port(), photo, "--find", "exit");
                equal(outcome, i == 0 ? List.of("1", "", "") : List.of("0", photo + "\tEXIT\n", ""));
            }
        }
    }

    private static void wrongUsage() throws Exception {
        for (String[] wrong : new String[][] {
            {"no pictures"}, {"1 to 65535", "x", "--port", "0x1"}, {"0 to 8", "x", "--orientation", "9"},
            {"NAME=VALUE", "x", "--option", "nonsense"}, {"--turbo", "x", "--turbo"}, {"needs a value", "x", "--level"},
            {"/no/such", "x", "--tls-ca", "/no/such"}, {"/none", "x", "--token-file", "/none"}}) {
            List<String> outcome = run(0, Arrays.copyOfRange(wrong, 1, wrong.length));
            holds(outcome.get(0).equals("2") && outcome.get(2).contains(wrong[0]), outcome);
        }
        equal(run(0, "--help"), List.of("0", Command.USAGE + "\n", ""));
    }
}
