package glyphwire;

import java.nio.ByteBuffer;

/** Encodes the headers of messages; Protocol.md has the table. */
final class Message {
    static final int FRAME = 1;
    static final int CONFIGURE = 2;
    static final int PING = 3;
    static final int END = 4;
    static final int STATS = 5;

    static final int HEADER_BYTES = 32;
    /** The length field does not count itself. */
    static final int LENGTH_BYTES = 4;

    private Message() {
    }

    /** The header of a message other than a frame. */
    static byte[] header(int type, long sequence, long capturedUs, int payloadBytes) {
        return start(type, payloadBytes).putLong(8, sequence).putLong(16, capturedUs).array();
    }

    static byte[] header(Frame frame, long sequence) {
        return start(FRAME, frame.payload.length)
            .put(5, (byte) frame.format.wire)
            .put(6, (byte) frame.orientation.ordinal())
            .putLong(8, sequence)
            .putLong(16, frame.capturedUs)
            .putShort(24, (short) frame.width)
            .putShort(26, (short) frame.height)
            .putInt(28, frame.bytesPerRow)
            .array();
    }

    private static ByteBuffer start(int type, int payloadBytes) {
        return ByteBuffer.allocate(HEADER_BYTES)
            .putInt(0, HEADER_BYTES - LENGTH_BYTES + payloadBytes)
            .put(4, (byte) type);
    }
}
