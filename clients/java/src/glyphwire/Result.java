package glyphwire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What became of a frame; its members are those of Protocol.md. Numbers of 64 bits are to be read as unsigned. */
public final class Result extends Line {
    public final long sequence;
    public final long capturedUs;
    /** "ok" if the frame was read, "error" if it could not be; with any other it was not read. */
    public final String status;
    /** Why, with the status "error"; "connection_lost" is the client's own. */
    public final String code;
    /** The same for a person. */
    public final String message;
    /** Why, with the status "dropped". */
    public final String reason;
    /** The sequence of the newer frame, with the status "dropped"; else null. */
    public final Long by;
    /** How many milliseconds before its result the picture was taken; null where the server cannot tell. */
    public final Double ageMs;
    public final Timings timingsUs;
    public final int width;
    public final int height;
    public final int orientation;
    public final String level;
    public final String coordinates;
    /** The text of all lines, with line feeds between them. */
    public final String text;
    public final List<TextLine> lines;
    /** Whether the frame shows what the one before it showed. */
    public final boolean reused;
    /** Whether the last lines are omitted, since there are more words than the server reports. */
    public final boolean truncated;
    /** What the option find found. */
    public final List<Match> matches;
    /** False if matches towards the end are missing. */
    public final boolean matchesComplete;
    /** With the report "changes": the texts that appeared, changed or are gone; lines and matches are then empty. */
    public final List<Change> changes;
    /** Ids of words that the previous frame had and this one has not. */
    public final List<Long> lost;
    /** Irregularities that did not prevent reading. */
    public final List<Warning> warnings;

    private Result(String json, Fields fields) {
        super(json, fields);
        this.sequence = fields.wholeOrZero("sequence");
        this.capturedUs = fields.wholeOrZero("captured_us");
        this.status = fields.string("status");
        this.code = fields.string("code");
        this.message = fields.string("message");
        this.reason = fields.string("reason");
        this.by = fields.whole("by");
        this.ageMs = fields.number("age_ms");
        this.timingsUs = new Timings(fields.object("timings_us"));
        this.width = fields.intOrZero("width");
        this.height = fields.intOrZero("height");
        this.orientation = fields.intOrZero("orientation");
        this.level = fields.string("level");
        this.coordinates = fields.string("coordinates");
        this.text = fields.string("text");
        this.lines = fields.objects("lines", TextLine::new);
        this.reused = fields.flag("reused", false);
        this.truncated = fields.flag("truncated", false);
        this.matches = fields.objects("matches", Match::new);
        this.matchesComplete = fields.flag("matches_complete", true);
        this.changes = fields.objects("changes", Change::new);
        this.lost = fields.wholes("lost");
        this.warnings = fields.objects("warnings", Warning::new);
    }

    static Result parse(String json, Fields fields) throws GlyphwireException {
        if (fields.whole("sequence") == null) throw GlyphwireException.badLine(json, "a result without a sequence");
        if (fields.string("status").isEmpty()) throw GlyphwireException.badLine(json, "a result without a status");
        return new Result(json, fields);
    }

    /** The result of a frame that will have none from a server. */
    static Result connectionLost(long sequence, long capturedUs) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", "result");
        members.put("sequence", sequence);
        members.put("captured_us", capturedUs);
        members.put("status", "error");
        members.put("code", ErrorCode.CONNECTION_LOST.toString());
        members.put("message", "the connection was lost before the frame was answered; send it again");
        return new Result("", new Fields(members));
    }

    /** Whether the frame was read. */
    public boolean isOk() {
        return status.equals("ok");
    }

    /** The words of all lines. */
    public List<Word> words() {
        List<Word> words = new ArrayList<>();
        for (TextLine line : lines) words.addAll(line.words);
        return words;
    }

    /** A text, and how sure the server is of it. */
    public static class Text {
        public final String text;
        /** 0...1. */
        public final double confidence;

        Text(Fields fields) {
            this.text = fields.string("text");
            this.confidence = fields.numberOrZero("confidence");
        }
    }

    /** A text with its place. */
    public static class PlacedText extends Text {
        /** Four corners x0, y0, ... y3, clockwise as a reader sees them, from the top of the text's beginning. */
        public final double[] box;

        PlacedText(Fields fields) {
            super(fields);
            this.box = fields.box();
        }
    }

    /** A line of text. */
    public static final class TextLine extends PlacedText {
        public final List<Word> words;
        public final Scores scores;
        /** The script of most letters by ISO 15924; empty if there are none. */
        public final String script;
        /** Why the line was not read, such as "script_unavailable", so that its texts are empty; else empty. */
        public final String reason;
        /** Readings of the line, the best first, if more than one was asked for. */
        public final List<Text> candidates;
        /** "new", "kept" or "read", with temporal; else empty. */
        public final String state;
        /** The name of the region that the line is in, if there are some; else empty. */
        public final String region;

        TextLine(Fields fields) {
            super(fields);
            this.words = fields.objects("words", Word::new);
            this.scores = new Scores(fields.object("scores"));
            this.script = fields.string("script");
            this.reason = fields.string("reason");
            this.candidates = fields.objects("candidates", Text::new);
            this.state = fields.string("state");
            this.region = fields.string("region");
        }
    }

    /** How sure each network is by itself. */
    public static final class Scores {
        public final double detection;
        /** Null where the line was not read. */
        public final Double recognition;

        Scores(Fields fields) {
            this.detection = fields.numberOrZero("detection");
            this.recognition = fields.number("recognition");
        }
    }

    /** What stands between spaces. */
    public static final class Word extends PlacedText {
        /** The same for the same word in other frames, with temporal; else null. */
        public final Long id;
        /** What a reader takes for one character each; empty if they were not asked for. */
        public final List<PlacedText> characters;

        Word(Fields fields) {
            super(fields);
            this.id = fields.whole("id");
            this.characters = fields.objects("characters", PlacedText::new);
        }
    }

    /** A place where something was found. */
    public static final class Match {
        /** Index into the option find. */
        public final int pattern;
        public final String text;
        /** Index into the result's lines. */
        public final int line;
        /** Indices into that line's words. */
        public final List<Long> words;
        public final double[] box;
        /** The name of the region that the line is in, if there are some, whose find counts; else empty. */
        public final String region;

        Match(Fields fields) {
            this.pattern = fields.intOrZero("pattern");
            this.text = fields.string("text");
            this.line = fields.intOrZero("line");
            this.words = fields.wholes("words");
            this.box = fields.box();
            this.region = fields.string("region");
        }
    }

    /** A line, or with the option find a match, that appeared, changed or is gone. */
    public static final class Change {
        /** "appeared", "changed" or "lost". */
        public final String type;
        /** The same for all changes of a text. */
        public final long id;
        public final String text;
        /** What the text was before it changed; else empty. */
        public final String previous;
        /** 0...1; null for a match. */
        public final Double confidence;
        public final double[] box;
        /** Index into the option find; null for a line. */
        public final Long pattern;
        /** The name of the region that it is in, if there are some; else empty. */
        public final String region;

        Change(Fields fields) {
            this.type = fields.string("type");
            this.id = fields.wholeOrZero("id");
            this.text = fields.string("text");
            this.previous = fields.string("previous");
            this.confidence = fields.number("confidence");
            this.box = fields.box();
            this.pattern = fields.whole("pattern");
            this.region = fields.string("region");
        }
    }

    /** An irregularity of a frame; which numbers it has depends on its code. */
    public static final class Warning {
        public final String code;
        /** The first row of pixels that is unreliable; or null. */
        public final Long row;
        /** The factor of the sides at which the picture was scanned; or null. */
        public final Double scale;

        Warning(Fields fields) {
            this.code = fields.string("code");
            this.row = fields.whole("row");
            this.scale = fields.number("scale");
        }
    }

    /** Microseconds that the server took. */
    public static final class Timings {
        public final long queue;
        public final long decode;
        public final long detect;
        public final long recognize;
        public final long total;

        Timings(Fields fields) {
            this.queue = fields.wholeOrZero("queue");
            this.decode = fields.wholeOrZero("decode");
            this.detect = fields.wholeOrZero("detect");
            this.recognize = fields.wholeOrZero("recognize");
            this.total = fields.wholeOrZero("total");
        }
    }
}
