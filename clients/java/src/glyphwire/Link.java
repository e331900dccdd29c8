package glyphwire;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A TCP or TLS connection, and the lines that come from it. */
final class Link implements Closeable {
    /** A line above the limit. */
    static final class LineTooLongException extends IOException {
        private static final long serialVersionUID = 1;
    }

    private static final int READ_BYTES = 1 << 16;
    /** How much of a payload is written at a time: slow networks take it well within answerTimeout. */
    static final int WRITE_BYTES = 1 << 16;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** What carries the bytes: {@code socket} itself, or what is below its TLS. */
    private final Socket plain;
    private final Socket socket;
    private final InputStream input;
    private final OutputStream output;
    private final int maxLineBytes;
    private final byte[] buffer = new byte[READ_BYTES];
    private int start;
    private int end;
    /** When the greeting is late, by System.nanoTime; 0 once it has come. */
    private long deadline;
    /** How long an open connection may be silent. */
    private Patience patience;

    /** How long bytes may take to come. */
    interface Patience {
        /** The nanoseconds after which it is to be asked again, should nothing come; it fails where the server counts as dead. */
        long left() throws SilentException;

        /** Bytes have come, or a part of a long message was handed to the system: no answer is late while it is (rule A12). */
        void heard();
    }

    /** A server that is silent for too long. */
    static final class SilentException extends IOException {
        private static final long serialVersionUID = 1;
    }

    private Link(Socket plain, Socket socket, int maxLineBytes, long deadline) throws IOException {
        this.plain = plain;
        this.socket = socket;
        this.input = socket.getInputStream();
        this.output = socket.getOutputStream();
        this.maxLineBytes = maxLineBytes;
        this.deadline = deadline;
    }

    /** Connects to the first address of the host that accepts, and makes the TLS handshake if there is one. */
    static Link connect(String host, int port, Settings settings) throws IOException {
        long deadline = System.nanoTime() + settings.connectTimeout.toNanos();
        Socket plain = connected(InetAddress.getAllByName(host), port, deadline);
        try {
            return new Link(plain, secured(plain, host, settings, deadline), settings.maxLineBytes, deadline);
        } catch (IOException error) {
            plain.close();
            throw error;
        }
    }

    /** Each address gets its share of the time, so that one which is not reachable leaves some to the others. */
    private static Socket connected(InetAddress[] addresses, int port, long deadline) throws IOException {
        IOException failure = null;
        for (int i = 0; i < addresses.length; i++) {
            Socket socket = new Socket();
            try {
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                int share = Math.max(1, millisUntil(deadline) / (addresses.length - i));
                socket.connect(new InetSocketAddress(addresses[i], port), share);
                return socket;
            } catch (IOException error) {
                socket.close();
                failure = error;
            }
        }
        throw failure;
    }

    private static Socket secured(Socket plain, String host, Settings settings, long deadline) throws IOException {
        if (settings.tls == null) return plain;
        SSLSocket socket = (SSLSocket) settings.tls.getSocketFactory().createSocket(plain, host, plain.getPort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        // The name of the host is checked only where this is asked for.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(millisUntil(deadline));
        socket.startHandshake();
        return socket;
    }

    private static int millisUntil(long deadline) throws SocketTimeoutException {
        long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
        if (deadline - System.nanoTime() <= 0) throw new SocketTimeoutException("too late");
        return (int) Math.max(1, Math.min(left, Integer.MAX_VALUE));
    }

    /** Lets reads take as long as the patience has it. */
    void opened(Patience patience) {
        this.deadline = 0;
        this.patience = patience;
    }

    /** The next line without its line feed; null when there are no more. What stands behind the last line feed is none. */
    String readLine() throws IOException {
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        while (true) {
            if (start == end && !fill()) return null;
            int place = start;
            while (place < end && buffer[place] != '\n') place++;
            parts.write(buffer, start, place - start);
            boolean isWhole = place < end;
            start = isWhole ? place + 1 : end;
            if (parts.size() > maxLineBytes) throw new LineTooLongException();
            if (isWhole) return parts.toString(StandardCharsets.UTF_8);
        }
    }

    private boolean fill() throws IOException {
        if (deadline != 0) socket.setSoTimeout(millisUntil(deadline));
        start = 0;
        end = Math.max(patience == null ? input.read(buffer) : readPatiently(), 0);
        return end > 0;
    }

    private int readPatiently() throws IOException {
        while (true) {
            long left = patience.left();
            socket.setSoTimeout((int) Math.max(1, Math.min(left / NANOS_PER_MILLI, Integer.MAX_VALUE)));
            try {
                int count = input.read(buffer);
                patience.heard();
                return count;
            } catch (SocketTimeoutException error) {
                // A message may have been sent since, from which the time counts.
            }
        }
    }

    void write(byte[] header, byte[] payload) throws IOException {
        output.write(header);
        for (int start = 0; start < payload.length; start += WRITE_BYTES) {
            if (start > 0 && patience != null) patience.heard();
            output.write(payload, start, Math.min(WRITE_BYTES, payload.length - start));
        }
        output.flush();
    }

    /**
     * Closes what is below TLS, without TLS's own good-bye: that would wait for a writer whose bytes the server does not take.
     *
     * <p>Whether a stream is whole is told by the line {@code end}.
     */
    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException error) {
            // It is closed all the same.
        }
    }
}
