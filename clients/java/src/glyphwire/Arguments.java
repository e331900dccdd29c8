package glyphwire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
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
    Frame.Orientation orientation = Frame.Orientation.UNSPECIFIED;
    SSLContext tls;
    boolean waits = true;
    boolean printsJson;
    boolean wantsHelp;
    final List<Path> pictures = new ArrayList<>();

    private Arguments() {
    }

    static Arguments parse(String[] given) throws UsageException {
        Arguments arguments = new Arguments();
        String tokenFile = System.getenv("GLYPHWIRE_TOKEN_FILE");
        if (tokenFile != null) arguments.readToken(tokenFile);
        for (int i = 0; i < given.length; i++) {
            if (!given[i].startsWith("-")) {
                arguments.pictures.add(Path.of(given[i]));
            } else if (!arguments.takeFlag(given[i])) {
                String value = i + 1 < given.length ? given[i + 1] : null;
                arguments.takeOption(given[i], value);
                i++;
            }
        }
        if (arguments.pictures.isEmpty() && !arguments.wantsHelp) {
            throw new UsageException("no pictures; name at least one JPEG file");
        }
        if (!arguments.find.isEmpty()) arguments.options.find(arguments.find.toArray(new String[0]));
        // Words are enough for printing; without the characters a line is a quarter as long.
        if (!arguments.printsJson && !arguments.options.has("characters")) arguments.options.characters(false);
        return arguments;
    }

    private boolean takeFlag(String name) throws UsageException {
        switch (name) {
            case "--no-wait": waits = false; return true;
            case "--json": printsJson = true; return true;
            case "--help": case "-h": wantsHelp = true; return true;
            case "--tls": tls = trust(null); return true;
            default: return false;
        }
    }

    private void takeOption(String name, String value) throws UsageException {
        switch (name) {
            case "--host": host = needed(name, value); break;
            case "--port": port = number(name, value, 1, MAX_PORT); break;
            case "--tls-ca": tls = trust(needed(name, value)); break;
            case "--token-file": readToken(needed(name, value)); break;
            case "--level": options.level(needed(name, value)); break;
            case "--find": find.add(needed(name, value)); break;
            case "--option": setOption(needed(name, value)); break;
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

    private void readToken(String file) throws UsageException {
        try {
            options.token(Files.readString(Path.of(file)).strip());
        } catch (IOException error) {
            throw new UsageException("the token file " + file + " cannot be read");
        }
    }

    /** A context that trusts the authorities of a PEM file, or those of the platform if there is none. */
    private static SSLContext trust(String file) throws UsageException {
        try {
            if (file == null) return SSLContext.getDefault();
            KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
            authorities.load(null, null);
            try (InputStream pem = Files.newInputStream(Path.of(file))) {
                for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                    authorities.setCertificateEntry("authority " + authorities.size(), one);
                }
            }
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
