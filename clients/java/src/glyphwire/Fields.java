package glyphwire;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The members of a JSON object. One that is absent, or of another type than this client knows, is at its default. */
final class Fields {
    final Map<?, ?> members;

    Fields(Object value) {
        this.members = value instanceof Map ? (Map<?, ?>) value : Map.of();
    }

    /** Empty if there is none. */
    String string(String name) {
        Object value = members.get(name);
        return value instanceof String ? (String) value : "";
    }

    boolean flag(String name, boolean otherwise) {
        Object value = members.get(name);
        return value instanceof Boolean ? (Boolean) value : otherwise;
    }

    /** The low 64 bits of a whole number; null if there is none. */
    Long whole(String name) {
        return asWhole(members.get(name));
    }

    /** The low 64 bits of a whole number; 0 if there is none. */
    long wholeOrZero(String name) {
        Long value = whole(name);
        return value == null ? 0 : value;
    }

    int intOrZero(String name) {
        return (int) wholeOrZero(name);
    }

    /** Null if there is none. */
    Double number(String name) {
        Object value = members.get(name);
        return value instanceof Number ? (Double) ((Number) value).doubleValue() : null;
    }

    double numberOrZero(String name) {
        Double value = number(name);
        return value == null ? 0 : value;
    }

    Fields object(String name) {
        return new Fields(members.get(name));
    }

    /** Empty if there is none. */
    List<?> list(String name) {
        Object value = members.get(name);
        return value instanceof List ? (List<?>) value : List.of();
    }

    /** What {@code make} makes of each object in an array. */
    <T> List<T> objects(String name, Function<Fields, T> make) {
        List<T> made = new ArrayList<>();
        for (Object element : list(name)) made.add(make.apply(new Fields(element)));
        return List.copyOf(made);
    }

    List<String> strings(String name) {
        List<String> strings = new ArrayList<>();
        for (Object element : list(name)) strings.add(String.valueOf(element));
        return List.copyOf(strings);
    }

    List<Long> wholes(String name) {
        List<Long> wholes = new ArrayList<>();
        for (Object element : list(name)) {
            Long value = asWhole(element);
            if (value != null) wholes.add(value);
        }
        return List.copyOf(wholes);
    }

    /** Eight coordinates. */
    double[] box() {
        double[] corners = new double[8];
        List<?> given = list("box");
        for (int i = 0; i < corners.length && i < given.size(); i++) {
            if (given.get(i) instanceof Number) corners[i] = ((Number) given.get(i)).doubleValue();
        }
        return corners;
    }

    private static Long asWhole(Object value) {
        return value instanceof Long || value instanceof BigInteger ? (Long) ((Number) value).longValue() : null;
    }
}
