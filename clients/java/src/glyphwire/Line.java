package glyphwire;

import java.util.Map;

/** A line from the server. */
public class Line {
    /** "hello", "configured", "result", "pong", "stats", "error", "end", "goaway", or a type of a later server. */
    public final String type;
    /**
     * The line as received, without its line feed; empty for one that the client makes: the result of a lost frame, or the end
     * that a server which stops does not send.
     */
    public final String json;

    final Fields fields;
    /** Whether the line was given to whoever asked for it, too; then it holds up nothing where nobody reads. */
    boolean hasCaller;

    Line(String json, Fields fields) {
        this.json = json;
        this.fields = fields;
        this.type = fields.string("type");
    }

    /** All members by their names in Protocol.md: maps, lists, String, Long, BigInteger beyond its range, Double, Boolean. */
    public Map<?, ?> members() {
        return fields.members;
    }

    /** Parses a line, as the class for its type. */
    static Line parse(String json) throws GlyphwireException {
        Object value;
        try {
            value = Json.parse(json);
        } catch (Json.SyntaxException error) {
            throw GlyphwireException.badLine(json, error.getMessage());
        }
        Fields fields = new Fields(value);
        switch (fields.string("type")) {
            case "": throw GlyphwireException.badLine(json, "no object with a type");
            case "hello": return new Hello(json, fields);
            case "result": return Result.parse(json, fields);
            default: return new Line(json, fields);
        }
    }

    boolean isFatal() {
        return type.equals("error") && fields.flag("fatal", false);
    }

    /**
     * Whether the line answers a message, and so shows that the server has admitted the client.
     *
     * <p>A greeting does not: too_many_connections may follow it.
     */
    boolean isAnswer() {
        switch (type) {
            case "result": case "configured": case "pong": case "stats": case "end": case "error": return true;
            default: return false;
        }
    }

    /** What an error line says. */
    GlyphwireException refusal() {
        return GlyphwireException.refused(fields.string("code"), fields.string("message"));
    }
}
