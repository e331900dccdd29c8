package glyphwire;

/** A picture to be read. A JPEG needs nothing but its bytes. Frames do not change: each method returns another one. */
public final class Frame {
    /** How a payload holds the pixels. */
    public enum Format {
        JPEG(1), BGRA_LZ4_BLOCK(2), BGRA(3), BGRA_LZ4_FRAME(4), GRAY(5), GRAY_LZ4_BLOCK(6);

        final int wire;

        Format(int wire) {
            this.wire = wire;
        }
    }

    /** How a stored picture must be turned to stand upright: its place in this list is the value of EXIF tag 0x0112. */
    public enum Orientation {
        /** The tag of a JPEG, or else {@link #UP}. */
        UNSPECIFIED, UP, UP_MIRRORED, DOWN, DOWN_MIRRORED, LEFT_MIRRORED, RIGHT, RIGHT_MIRRORED, LEFT
    }

    /** What the header has room for. */
    private static final int MAX_SIDE = 0xFFFF;

    final byte[] payload;
    final Format format;
    final int width;
    final int height;
    final int bytesPerRow;
    final Orientation orientation;
    final long capturedUs;
    final Long sequence;

    private Frame(
            byte[] payload, Format format, int[] size, Orientation orientation, long capturedUs, Long sequence) {
        require("width", size[0], MAX_SIDE);
        require("height", size[1], MAX_SIDE);
        require("bytesPerRow", size[2], Integer.MAX_VALUE);
        this.payload = payload;
        this.format = format;
        this.width = size[0];
        this.height = size[1];
        this.bytesPerRow = size[2];
        this.orientation = orientation;
        this.capturedUs = capturedUs;
        this.sequence = sequence;
    }

    /**
     * A JPEG file, whose own EXIF tag says how it stands.
     *
     * @param file Its bytes; they must not change until the frame was sent.
     */
    public static Frame jpeg(byte[] file) {
        return new Frame(file, Format.JPEG, new int[3], Orientation.UNSPECIFIED, 0, null);
    }

    /**
     * Rows of pixels, raw or packed with LZ4.
     *
     * @param payload The rows; they must not change until the frame was sent.
     * @param format How the payload holds them.
     * @param width In pixels, up to 65,535.
     * @param height In pixels, up to 65,535.
     */
    public static Frame pixels(byte[] payload, Format format, int width, int height) {
        return new Frame(payload, format, new int[] {width, height, 0}, Orientation.UNSPECIFIED, 0, null);
    }

    /** The same with padding: bytes from the start of one row to the start of the next. */
    public Frame withBytesPerRow(int bytesPerRow) {
        return new Frame(payload, format, new int[] {width, height, bytesPerRow}, orientation, capturedUs, sequence);
    }

    /** The same from a camera that was held in another way. */
    public Frame withOrientation(Orientation orientation) {
        return new Frame(payload, format, size(), orientation, capturedUs, sequence);
    }

    /** The same with a capture time, in microseconds of the caller's clock, which the result repeats. */
    public Frame withCapturedUs(long capturedUs) {
        return new Frame(payload, format, size(), orientation, capturedUs, sequence);
    }

    /** The same with the caller's number, which the result repeats; otherwise frames are numbered from 1. */
    public Frame withSequence(long sequence) {
        return new Frame(payload, format, size(), orientation, capturedUs, sequence);
    }

    private static void require(String name, int value, int most) {
        if (value >= 0 && value <= most) return;
        throw new IllegalArgumentException(name + " is " + value + "; give a number from 0 to " + most);
    }

    private int[] size() {
        return new int[] {width, height, bytesPerRow};
    }
}
