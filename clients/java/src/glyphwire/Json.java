package glyphwire;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON (RFC 8259), since the Java platform does not.
 *
 * <p>Objects are maps, arrays are lists, and null is null. Whole numbers are Long, or BigInteger beyond its range, so that
 * none is rounded; other numbers are Double.
 */
final class Json {
    /** A text that is not JSON. */
    static final class SyntaxException extends Exception {
        private static final long serialVersionUID = 1;

        SyntaxException(String what, int place) {
            super(what + " at character " + place);
        }
    }

    private static final int MAX_DEPTH = 64;
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String MEANINGS = "\"\\/\b\f\n\r\t";
    private static final int HEX_DIGITS = 4;
    private static final int HEX = 16;
    private static final int FIRST_PRINTABLE = 0x20;
    /** Whole numbers of fewer characters fit into a long. */
    private static final int LONG_CHARACTERS = 18;

    private final String text;
    private int place;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) throws SyntaxException {
        Json json = new Json(text);
        Object value = json.value(0);
        json.skipSpace();
        if (json.place < text.length()) throw json.unexpected();
        return value;
    }

    private Object value(int depth) throws SyntaxException {
        skipSpace();
        if (depth > MAX_DEPTH) throw new SyntaxException("nesting too deep", place);
        switch (peek()) {
            case '{': return object(depth);
            case '[': return array(depth);
            case '"': return string();
            case 't': return literal("true", Boolean.TRUE);
            case 'f': return literal("false", Boolean.FALSE);
            case 'n': return literal("null", null);
            default: return number();
        }
    }

    private Map<String, Object> object(int depth) throws SyntaxException {
        Map<String, Object> members = new LinkedHashMap<>();
        place++;
        skipSpace();
        if (takes('}')) return members;
        do {
            skipSpace();
            String name = string();
            skipSpace();
            if (!takes(':')) throw unexpected();
            members.put(name, value(depth + 1));
            skipSpace();
        } while (takes(','));
        if (!takes('}')) throw unexpected();
        return members;
    }

    private List<Object> array(int depth) throws SyntaxException {
        List<Object> elements = new ArrayList<>();
        place++;
        skipSpace();
        if (takes(']')) return elements;
        do {
            elements.add(value(depth + 1));
            skipSpace();
        } while (takes(','));
        if (!takes(']')) throw unexpected();
        return elements;
    }

    private String string() throws SyntaxException {
        if (!takes('"')) throw unexpected();
        StringBuilder characters = new StringBuilder();
        while (true) {
            char next = peek();
            if (next < FIRST_PRINTABLE) throw unexpected();
            place++;
            if (next == '"') return characters.toString();
            characters.append(next == '\\' ? escape() : next);
        }
    }

    private char escape() throws SyntaxException {
        char code = peek();
        int known = ESCAPES.indexOf(code);
        if (known >= 0) {
            place++;
            return MEANINGS.charAt(known);
        }
        if (code != 'u' || place + HEX_DIGITS >= text.length()) throw unexpected();
        int unit = 0;
        for (int i = 1; i <= HEX_DIGITS; i++) {
            int digit = Character.digit(text.charAt(place + i), HEX);
            if (digit < 0) throw unexpected();
            unit = unit * HEX + digit;
        }
        place += 1 + HEX_DIGITS;
        return (char) unit;
    }

    private Object literal(String name, Object value) throws SyntaxException {
        if (!text.startsWith(name, place)) throw unexpected();
        place += name.length();
        return value;
    }

    private Object number() throws SyntaxException {
        int start = place;
        takes('-');
        int first = place;
        digits();
        if (text.charAt(first) == '0' && place > first + 1) throw new SyntaxException("a leading zero", first);
        boolean isWhole = true;
        if (takes('.')) {
            isWhole = false;
            digits();
        }
        if (takes('e') || takes('E')) {
            isWhole = false;
            if (!takes('+')) takes('-');
            digits();
        }
        String number = text.substring(start, place);
        if (!isWhole) return Double.valueOf(number);
        if (number.length() <= LONG_CHARACTERS) return Long.valueOf(number);
        BigInteger whole = new BigInteger(number);
        return whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : whole;
    }

    private void digits() throws SyntaxException {
        int start = place;
        while (place < text.length() && text.charAt(place) >= '0' && text.charAt(place) <= '9') place++;
        if (place == start) throw unexpected();
    }

    private char peek() throws SyntaxException {
        if (place >= text.length()) throw unexpected();
        return text.charAt(place);
    }

    private boolean takes(char wanted) {
        boolean isThere = place < text.length() && text.charAt(place) == wanted;
        if (isThere) place++;
        return isThere;
    }

    private void skipSpace() {
        while (place < text.length() && " \t\r\n".indexOf(text.charAt(place)) >= 0) place++;
    }

    private SyntaxException unexpected() {
        return new SyntaxException(place < text.length() ? "not JSON" : "the text ends", place);
    }

    /** The text of a value: a map, an iterable, a string, a number, a boolean or null. */
    static String write(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        if (value instanceof Map) {
            String separator = "{";
            for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                text.append(separator);
                writeString(String.valueOf(member.getKey()), text);
                write(member.getValue(), text.append(':'));
                separator = ",";
            }
            text.append(separator.equals("{") ? "{}" : "}");
        } else if (value instanceof Iterable) {
            String separator = "[";
            for (Object element : (Iterable<?>) value) {
                write(element, text.append(separator));
                separator = ",";
            }
            text.append(separator.equals("[") ? "[]" : "]");
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            text.append(value);
        } else {
            writeString(value.toString(), text);
        }
    }

    private static void writeString(String string, StringBuilder text) {
        text.append('"');
        for (char character : string.toCharArray()) {
            if (character == '"' || character == '\\' || character < FIRST_PRINTABLE) {
                text.append(String.format("\\u%04x", (int) character));
            } else {
                text.append(character);
            }
        }
        text.append('"');
    }
}
