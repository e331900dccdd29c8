package glyphwire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** What the command line asks for. */
final class Arguments {
    /** Wrong usage; the message says what is right. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message);
        }
    }

    private static final int MAX_PORT = 65535;

    String host = "localhost";
    int port = Connection.PORT;
    final Options options = new Options();
    final List<String> find = new ArrayList<>();
    private String level;
    Frame.Orientation orientation = Frame.Orientation.UNSPECIFIED;
    SSLContext tls;
    private String tokenFile = System.getenv("GLYPHWIRE_TOKEN_FILE");
    private String authorities;
    private boolean wantsTls;
    boolean waits = true;
    boolean printsJson;
    boolean wantsHelp;
    final List<Path> pictures = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    private Arguments() {
    }

    static Arguments parse(String[] given) throws UsageException {
        Arguments arguments = new Arguments();
        Iterator<String> rest = List.of(given).iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            if (word.equals("--")) rest.forEachRemaining(arguments.names::add);
            else if (word.startsWith("-") && word.length() > 1) arguments.take(word, rest);
            else arguments.names.add(word);
        }
        if (!arguments.wantsHelp) arguments.complete();
        return arguments;
    }

    /** Sets what depends on more than one option, and on files. */
    private void complete() throws UsageException {
        if (names.isEmpty()) throw new UsageException("no pictures; name at least one JPEG file");
        for (String name : names) pictures.add(path(name));
        if (Boolean.FALSE.equals(options.get("recognize")) && !printsJson) {
            throw new UsageException("with recognize=false there are no words to print; add --json");
        }
        if (!find.isEmpty()) options.setDefault("find", find);
        if (level != null) options.setDefault("level", level);
        // Words are enough for printing; without the characters a line is a quarter as long.
        if (!printsJson) options.setDefault("characters", false);
        if (tokenFile != null && !tokenFile.isEmpty()) options.setDefault("token", token(tokenFile));
        if (wantsTls) tls = trust(authorities);
    }

    /** Takes an option, and its value from the same word or from the next. */
    private void take(String word, Iterator<String> rest) throws UsageException {
        if (takeFlag(word)) return;
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        if (equals >= 0) takeOption(name, word.substring(equals + 1));
        else takeOption(name, rest.hasNext() ? rest.next() : null);
    }

    private boolean takeFlag(String name) {
        switch (name) {
            case "--no-wait": waits = false; return true;
            case "--json": printsJson = true; return true;
            case "--help": case "-h": wantsHelp = true; return true;
            case "--tls": wantsTls = true; return true;
            default: return false;
        }
    }

    private void takeOption(String name, String value) throws UsageException {
        switch (name) {
            case "--host": host = needed(name, value).replaceFirst("^\\[(.*)\\]$", "$1"); break;
            case "--port": port = number(name, value, 1, MAX_PORT); break;
            case "--tls-ca": authorities = file(name, value); wantsTls = true; break;
            case "--token-file": tokenFile = file(name, value); break;
            case "--level": level = text(name, value); break;
            case "--find": find.add(text(name, value)); break;
            case "--option": setOption(text(name, value)); break;
            case "--orientation":
                Frame.Orientation[] all = Frame.Orientation.values();
                orientation = all[number(name, value, 0, all.length - 1)];
                break;
            default: throw new UsageException("there is no option " + name);
        }
    }

    private static String needed(String name, String value) throws UsageException {
        if (value == null) throw new UsageException(name + " needs a value");
        return value;
    }

    /** An empty name, as of a variable that is not set, must not stand for no file. */
    private static String file(String name, String value) throws UsageException {
        if (needed(name, value).isEmpty()) throw new UsageException(name + " names no file");
        return value;
    }

    /** Java has replaced what is no text in the locale's encoding. */
    private static String text(String name, String value) throws UsageException {
        if (needed(name, value).indexOf('\ufffd') < 0) return value;
        throw new UsageException(name + " " + value + " is no text in this locale; with LC_ALL=C.UTF-8 it is UTF-8");
    }

    private static Path path(String name) throws UsageException {
        try {
            return Path.of(name);
        } catch (InvalidPathException error) {
            throw new UsageException("Java cannot open a file " + name + " in this locale; try LC_ALL=C.UTF-8");
        }
    }

    private static int number(String name, String value, int least, int most) throws UsageException {
        try {
            int number = Integer.parseInt(needed(name, value));
            if (number >= least && number <= most) return number;
        } catch (NumberFormatException error) {
            // The message below is for this, too.
        }
        throw new UsageException(name + " is a number from " + least + " to " + most + ", not " + value);
    }

    /** Takes NAME=VALUE, where the value is JSON or else a string. */
    private void setOption(String text) throws UsageException {
        int equals = text.indexOf('=');
        if (equals <= 0) throw new UsageException(text + " is not NAME=VALUE");
        String value = text.substring(equals + 1);
        try {
            options.set(text.substring(0, equals), Json.parse(value));
        } catch (Json.SyntaxException error) {
            options.set(text.substring(0, equals), value);
        }
    }

    /** The token in a file; of several, in JSON as a server takes them, the first. */
    private static String token(String file) throws UsageException {
        try {
            String text = Files.readString(path(file)).strip();
            String token = text.startsWith("{") ? firstToken(text) : text;
            if (!token.isEmpty()) return token;
        } catch (IOException error) {
            throw new UsageException("the token file " + file + " cannot be read");
        }
        throw new UsageException("there is no token in " + file);
    }

    private static String firstToken(String json) {
        try {
            List<Fields> tokens = new Fields(Json.parse(json)).objects("tokens", fields -> fields);
            return tokens.isEmpty() ? "" : tokens.get(0).string("token");
        } catch (Json.SyntaxException error) {
            return "";
        }
    }

    /** A context that trusts the authorities of a PEM file, or those of the platform if there is none. */
    private static SSLContext trust(String file) throws UsageException {
        try {
            if (file == null) return SSLContext.getDefault();
            KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
            authorities.load(null, null);
            try (InputStream pem = Files.newInputStream(path(file))) {
                for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                    authorities.setCertificateEntry("authority " + authorities.size(), one);
                }
            }
            if (authorities.size() == 0) throw new UsageException("--tls-ca: there is no certificate in " + file);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException error) {
            throw new UsageException("the authorities in " + file + " cannot be read: " + error.getMessage());
        }
    }
}
