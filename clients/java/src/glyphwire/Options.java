package glyphwire;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The options of Protocol.md's configure. What is not set is at the server's default.
 *
 * <p>They are complete: an option that an earlier configuration set, and this one leaves out, returns to its default. Each
 * method changes this object and returns it.
 */
public final class Options {
    private final Map<String, Object> values = new TreeMap<>();

    /** Presented to a server whose hello has {@code auth} "token". */
    public Options token(String token) {
        return set("token", token);
    }

    /** A name for the server's logs. */
    public Options client(String name) {
        return set("client", name);
    }

    /** "fast" or "accurate". */
    public Options level(String level) {
        return set("level", level);
    }

    /** False only locates text. */
    public Options recognize(boolean recognizes) {
        return set("recognize", recognizes);
    }

    /** False leaves the characters out of words. */
    public Options characters(boolean reports) {
        return set("characters", reports);
    }

    /** The space of every box: "sent", "upright" or "vision". */
    public Options coordinates(String space) {
        return set("coordinates", space);
    }

    /** Omits lines lower than this fraction of the upright picture's height. */
    public Options minimumTextHeight(double fraction) {
        return set("minimumTextHeight", fraction);
    }

    /** x, y, width and height of the part to read, as fractions of the upright picture. */
    public Options regionOfInterest(double... region) {
        Double[] numbers = Arrays.stream(region).boxed().toArray(Double[]::new);
        return set("regionOfInterest", List.of(numbers));
    }

    /** Named parts of the upright picture that are read instead of the rest, each with options of its own. */
    public Options regions(Region... regions) {
        return set("regions", Arrays.stream(regions).map(region -> region.values).collect(Collectors.toList()));
    }

    /** What decides which way is up: "given" or "auto". */
    public Options upright(String how) {
        return set("upright", how);
    }

    /** Codes of BCP 47 to expect. */
    public Options languages(String... codes) {
        return set("languages", List.of(codes));
    }

    /** Words that are preferred where a reading is nearly as likely to be one of them. */
    public Options customWords(String... words) {
        return set("customWords", List.of(words));
    }

    /** "all", or "changes" for results with {@code changes} alone. */
    public Options report(String what) {
        return set("report", what);
    }

    /** The characters and ranges to read alone, such as {@code "0-9."} or {@code "A-Z0-9-"}. */
    public Options characterSet(String characters) {
        return set("characterSet", characters);
    }

    /** False leaves misread words as they are, instead of correcting them by a dictionary. */
    public Options languageCorrection(boolean corrects) {
        return set("languageCorrection", corrects);
    }

    /** What becomes of lines in scripts that the server cannot read: "report" or "omit". */
    public Options unreadable(String how) {
        return set("unreadable", how);
    }

    /** How many readings of each line to report. */
    public Options candidates(int count) {
        return set("candidates", count);
    }

    /** "live", where a newer frame supersedes one that waits, or "every". */
    public Options delivery(String delivery) {
        return set("delivery", delivery);
    }

    /** Leaves frames unread that are older than this when their reading would begin. */
    public Options deadlineMs(int milliseconds) {
        return set("deadline_ms", milliseconds);
    }

    /** The server's clock minus the clock of the frames; results then have an age. */
    public Options clockOffsetUs(long microseconds) {
        return set("clock_offset_us", microseconds);
    }

    /** Whether text is tracked across frames. */
    public Options temporal(boolean tracks) {
        return set("temporal", tracks);
    }

    /** Scans a whole frame again after this time, however little has changed. */
    public Options refreshMs(int milliseconds) {
        return set("refresh_ms", milliseconds);
    }

    /** What becomes of a damaged JPEG: "refuse" or "read". */
    public Options damaged(String how) {
        return set("damaged", how);
    }

    /** Texts, and regular expressions between slashes, to search for. */
    public Options find(String... patterns) {
        return set("find", List.of(patterns));
    }

    /**
     * Any option by its name in Protocol.md, such as one of a later server.
     *
     * @param value A string, a number, a boolean, or a list or map of such.
     */
    public Options set(String name, Object value) {
        values.put(name, value);
        return this;
    }

    /** A named part of the upright picture; what is not set is as the stream has it. Each method changes and returns it. */
    public static final class Region {
        private final Map<String, Object> values = new TreeMap<>();

        /** A region whose lines are told with this name. */
        public Region(String name) {
            values.put("name", name);
        }

        /** x, y, width and height as fractions. */
        public Region regionOfInterest(double... region) {
            return set("regionOfInterest", Arrays.stream(region).boxed().collect(Collectors.toList()));
        }

        /** The corners x0, y0, x1, y1, ... as fractions, instead of a rectangle. */
        public Region polygon(double... corners) {
            return set("polygon", Arrays.stream(corners).boxed().collect(Collectors.toList()));
        }

        /** Texts, and regular expressions between slashes, to search for. */
        public Region find(String... patterns) {
            return set("find", List.of(patterns));
        }

        /** The characters and ranges to read alone. */
        public Region characterSet(String characters) {
            return set("characterSet", characters);
        }

        /** Omits lines lower than this fraction of the upright picture's height. */
        public Region minimumTextHeight(double fraction) {
            return set("minimumTextHeight", fraction);
        }

        private Region set(String name, Object value) {
            values.put(name, value);
            return this;
        }
    }

    /** The same options, to be changed without changing these. */
    public Options copy() {
        Options copy = new Options();
        copy.values.putAll(values);
        return copy;
    }

    /** The token without other options; there must be one. */
    Options tokenAlone() {
        return new Options().set("token", values.get("token"));
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    Object get(String name) {
        return values.get(name);
    }

    /** Sets an option unless it is set. */
    void setDefault(String name, Object value) {
        values.putIfAbsent(name, value);
    }

    /** The body of a configure. */
    String json() {
        return Json.write(values);
    }

    /** Says which options are set, and never the token. */
    @Override
    public String toString() {
        return "Options" + values.keySet();
    }
}
