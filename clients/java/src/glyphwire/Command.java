package glyphwire;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** The command line: sends pictures to a server, and prints the words in each. */
final class Command {
    static final String USAGE = String.join("\n",
        "usage: java -jar glyphwire.jar [options] PICTURE.jpg ...",
        "",
        "Sends JPEG files to a Glyphwire server, and prints the words in each: one line",
        "for each line of text, with the picture's name in front and tabs between.",
        "",
        "  --host NAME          the server's name or address (default: localhost)",
        "  --port NUMBER        its port (default: 7411)",
        "  --tls                speak TLS, and trust the authorities of the Java platform",
        "  --tls-ca FILE        speak TLS, and trust the authorities of this PEM file",
        "  --token-file FILE    a file with the token that the server requires;",
        "                       GLYPHWIRE_TOKEN_FILE names one otherwise",
        "  --level LEVEL        fast or accurate (default: the server's)",
        "  --find TEXT          print only matches of this text or /expression/;",
        "                       may be repeated",
        "  --option NAME=VALUE  any other option of configure; may be repeated",
        "  --orientation NUMBER how the camera was held, 1...8 as in EXIF (default: 0,",
        "                       the JPEG's own)",
        "  --no-wait            fail at once if no server answers, instead of waiting",
        "  --json               print the server's lines",
        "  --help               show this",
        "",
        "The exit status is 0; 1 if a picture could not be read, the server was lost or",
        "refused, the output could not be written, or --find found nothing; 2 for wrong",
        "usage.");

    private static final int FAILURE = 1;
    private static final int WRONG_USAGE = 2;
    /** Errors after which a server may be there later. */
    private static final Set<ErrorCode> PASSING =
        Set.of(ErrorCode.CANNOT_CONNECT, ErrorCode.TIMED_OUT, ErrorCode.CONNECTION_LOST);

    private final Arguments arguments;
    private final Writer output;
    private final PrintStream errors;
    /** Pictures that were not read; those that cannot be opened are counted by who sends. */
    private final AtomicInteger unread = new AtomicInteger();
    private int found;

    private Command(Arguments arguments, Writer output, PrintStream errors) {
        this.arguments = arguments;
        this.output = output;
        this.errors = errors;
    }

    public static void main(String[] arguments) throws InterruptedException {
        // Text is UTF-8 whatever the locale says.
        Writer output = new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8);
        PrintStream errors = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(arguments, output, errors));
    }

    /** Returns the exit status. */
    static int run(String[] given, Writer output, PrintStream errors) throws InterruptedException {
        Arguments arguments;
        try {
            arguments = Arguments.parse(given);
        } catch (Arguments.UsageException error) {
            errors.println("glyphwire: " + error.getMessage() + "; --help lists the options");
            return WRONG_USAGE;
        }
        Command command = new Command(arguments, output, errors);
        try {
            if (!arguments.wantsHelp) return command.stream();
            command.show(List.of(USAGE));
            return 0;
        } catch (IOException error) {
            errors.println("glyphwire: " + error.getMessage());
        }
        return FAILURE;
    }

    private int stream() throws IOException, InterruptedException {
        try (Connection connection = connect()) {
            CompletableFuture<Void> sent = new CompletableFuture<>();
            Thread sender = new Thread(() -> send(connection, sent), "glyphwire pictures");
            sender.setDaemon(true);
            sender.start();
            for (Result result = connection.nextResult(); result != null; result = connection.nextResult()) print(result);
            sent.get();
        } catch (ExecutionException error) {
            if (error.getCause() instanceof IOException) throw (IOException) error.getCause();
            throw new IllegalStateException(error.getCause());
        }
        boolean hasFailed = unread.get() > 0 || (!arguments.find.isEmpty() && found == 0);
        return hasFailed ? FAILURE : 0;
    }

    /** Waits for the server, unless that is not wanted. */
    private Connection connect() throws GlyphwireException, InterruptedException {
        ReconnectPolicy policy = new ReconnectPolicy();
        Settings settings = new Settings().options(arguments.options).reconnect(policy).tls(arguments.tls);
        for (int attempt = 1; ; attempt++) {
            try {
                return readingEvery(Connection.connect(arguments.host, arguments.port, settings));
            } catch (GlyphwireException error) {
                if (!arguments.waits || error.isPermanent() || !PASSING.contains(error.code())) throw error;
                if (attempt == 1) errors.println("glyphwire: waiting for the server: " + error.getMessage());
            }
            Duration pause = policy.delay(attempt);
            Thread.sleep(pause.toMillis());
        }
    }

    /** Has a server that would leave out frames for newer ones read all files. */
    private Connection readingEvery(Connection connection) throws GlyphwireException, InterruptedException {
        if (!arguments.options.has("delivery") && connection.hello().features.contains("delivery")) {
            connection.configure(arguments.options.copy().delivery("every"));
        }
        return connection;
    }

    /** Sends what can be opened, and ends the stream behind the last picture that could be sent. */
    private void send(Connection connection, CompletableFuture<Void> sent) {
        Exception failure = null;
        try {
            for (int i = 0; i < arguments.pictures.size(); i++) {
                byte[] file = open(arguments.pictures.get(i));
                if (file == null) continue;
                connection.send(Frame.jpeg(file).withOrientation(arguments.orientation).withSequence(i));
            }
        } catch (IOException | InterruptedException error) {
            failure = error;
        }
        try {
            connection.finish();
        } catch (IOException | InterruptedException error) {
            if (failure == null) failure = error;
        }
        if (failure == null) sent.complete(null);
        else sent.completeExceptionally(failure);
    }

    /** What a file holds; null, and says so, where it cannot be opened. */
    private byte[] open(Path picture) {
        try {
            return Files.readAllBytes(picture);
        } catch (NoSuchFileException error) {
            errors.println("glyphwire: there is no file " + picture);
        } catch (IOException error) {
            errors.println("glyphwire: " + picture + " cannot be read: " + error.getMessage());
        }
        unread.incrementAndGet();
        return null;
    }

    private void print(Result result) throws IOException {
        String name = arguments.pictures.get((int) result.sequence).toString();
        found += result.matches.size();
        for (Result.Change change : result.changes) found += change.pattern == null ? 0 : 1;
        if (!result.isOk()) {
            unread.incrementAndGet();
            boolean isError = result.status.equals("error");
            errors.println(name + ": " + (isError ? result.message + " (" + result.code + ")" : result.status));
        }
        if (arguments.printsJson) {
            show(List.of(result.json.isEmpty() ? Json.write(result.members()) : result.json));
            return;
        }
        List<String> rows = new ArrayList<>();
        for (String text : arguments.find.isEmpty() ? words(result) : findings(result)) rows.add(name + "\t" + text);
        show(rows);
    }

    /** The lines of text, or those that have come where only changes are told, with tabs between words. */
    private static List<String> words(Result result) {
        List<String> texts = new ArrayList<>();
        for (Result.TextLine line : result.lines) {
            texts.add(line.words.stream().map(word -> word.text).collect(Collectors.joining("\t")));
        }
        for (String text : come(result)) texts.add(text.replace(' ', '\t'));
        return texts;
    }

    /** What was found, or what of it has come where only changes are told. */
    private static List<String> findings(Result result) {
        List<String> texts = new ArrayList<>();
        for (Result.Match match : result.matches) texts.add(match.text);
        texts.addAll(come(result));
        return texts;
    }

    /** The texts that have appeared or changed. */
    private static List<String> come(Result result) {
        List<String> texts = new ArrayList<>();
        for (Result.Change change : result.changes) {
            if (!change.type.equals("lost")) texts.add(change.text);
        }
        return texts;
    }

    private void show(List<String> rows) throws IOException {
        try {
            for (String row : rows) output.write(row + "\n");
            output.flush();
        } catch (IOException error) {
            throw new IOException("the output cannot be written: " + error.getMessage(), error);
        }
    }
}
