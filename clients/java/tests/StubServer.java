package glyphwire;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server for tests, which answers frames without reading them. */
final class StubServer implements AutoCloseable {
    /** What is done with a connection. */
    interface Script {
        void play(Peer peer) throws IOException;
    }

    static final String BOX = "\"confidence\":1,\"box\":[1,2,3,4,5,6,7,8]";

    /** The bodies of all configures. */
    final List<String> configurations = new CopyOnWriteArrayList<>();
    private final ServerSocket listener;

    /** Plays a script to each connection in turn: the last one to all that follow. */
    StubServer(Script... scripts) throws IOException {
        this(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), scripts);
    }

    StubServer(ServerSocket listener, Script... scripts) {
        this.listener = listener;
        Thread accepting = new Thread(() -> accept(scripts));
        accepting.setDaemon(true);
        accepting.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept(Script[] scripts) {
        for (int number = 0; ; number++) {
            try {
                Socket socket = listener.accept();
                Script script = scripts[Math.min(number, scripts.length - 1)];
                Thread thread = new Thread(() -> play(script, socket));
                thread.setDaemon(true);
                thread.start();
            } catch (IOException error) {
                return;
            }
        }
    }

    private void play(Script script, Socket socket) {
        try (socket) {
            script.play(new Peer(socket));
        } catch (IOException error) {
            // The client has gone, as some tests have it.
        }
    }

    /** Greets, and answers everything until the end of the stream. */
    static void serve(Peer peer) throws IOException {
        peer.greet();
        while (peer.next()) {
            peer.answer();
            if (peer.type == Message.END) return;
        }
    }

    /** A client of the stub, and the last message that it has sent. */
    final class Peer {
        int type;
        long sequence;
        long capturedUs;
        private final Socket socket;
        private final DataInputStream input;

        private Peer(Socket socket) throws IOException {
            this.socket = socket;
            this.input = new DataInputStream(socket.getInputStream());
        }

        void greet() throws IOException {
            say("{\"type\":\"hello\",\"protocol\":1,\"features\":[\"delivery\"],\"limits\":{\"max_message_bytes\":4000000}}");
        }

        void say(String line, Object... values) throws IOException {
            socket.getOutputStream().write((String.format(line, values) + "\n").getBytes(StandardCharsets.UTF_8));
        }

        /** Takes the next message; false when there is none. */
        boolean next() throws IOException {
            byte[] header = input.readNBytes(Message.HEADER_BYTES);
            if (header.length < Message.HEADER_BYTES) return false;
            java.nio.ByteBuffer fields = java.nio.ByteBuffer.wrap(header);
            type = fields.get(4);
            sequence = fields.getLong(8);
            capturedUs = fields.getLong(16);
            byte[] payload = input.readNBytes(fields.getInt(0) + Message.LENGTH_BYTES - Message.HEADER_BYTES);
            if (type == Message.CONFIGURE) configurations.add(new String(payload, StandardCharsets.UTF_8));
            return true;
        }

        /** Takes the next message, if there is one within so many milliseconds. */
        boolean nextWithin(int milliseconds) throws IOException {
            socket.setSoTimeout(milliseconds);
            try {
                return next();
            } catch (SocketTimeoutException error) {
                return false;
            }
        }

        /** Answers the message as a good server would. */
        void answer() throws IOException {
            switch (type) {
                case Message.FRAME:
                    say("{\"type\":\"result\",\"sequence\":%d,\"captured_us\":%d,\"status\":\"ok\",\"text\":\"EXIT 42\",\"lines\":["
                        + "{\"text\":\"EXIT 42\"," + BOX + ",\"words\":[{\"text\":\"EXIT\"," + BOX + "},{\"text\":\"42\"," + BOX
                        + "}]}]}", sequence, capturedUs);
                    break;
                case Message.CONFIGURE: say("{\"type\":\"configured\",\"sequence\":%d,\"options\":{}}", sequence); break;
                case Message.PING: say("{\"type\":\"pong\",\"sequence\":%d,\"captured_us\":%d}", sequence, capturedUs); break;
                case Message.STATS: say("{\"type\":\"stats\",\"sequence\":%d}", sequence); break;
                default: say("{\"type\":\"end\",\"sequence\":%d,\"frames\":3}", sequence); break;
            }
        }
    }
}
