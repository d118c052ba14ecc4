package io.queen.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.queen.fuzz.Operations.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A valid request of an operation with one thing spoilt, as bytes. */
final class Mutation {
    private static final String BROKEN_AS_UTF_8 = "\u00EE\u0080\u0080";
    private static final String MALFORMED = "\u00FF";
    private final Random random;
    private final Hostile hostile;
    private final Sample sample;

    Mutation(Random random, Sample sample) {
        this.random = random;
        this.hostile = new Hostile(random);
        this.sample = sample;
    }

    /** What is sent: {@code target} is the path with the query, {@code body} null for none. */
    public record Request(String method, String target, byte[] body) {
        @Override
        public String toString() {
            String text = body == null ? "" : new String(body, StandardCharsets.ISO_8859_1);
            return method + " " + target + " body: " + text.substring(0, Math.min(text.length(), 400));
        }
    }

    public Request of(Operation operation) {
        Map<String, String> path = sample.path(operation);
        Map<String, String> query = sample.query(operation);
        JsonNode body = operation.body() == null ? null : sample.body(operation.body(), "");
        List<Runnable> choices = new ArrayList<>();
        path.keySet().forEach(name -> choices.add(() -> path.put(name, hostile.text())));
        operation.query().forEach(name -> choices.add(() -> spoil(query, name)));
        choices.add(() -> query.put(random.nextInt(8) > 0 ? "unknown" : hostile.text(), hostile.text()));
        byte[][] bytes = new byte[1][];
        if (body != null) {
            for (int i = 0; i < 8; i++) {
                choices.add(() -> spoil(body));
            }
            choices.add(() -> bytes[0] = spoilWhole(body.toString()));
            choices.add(() -> bytes[0] = hostile.bytes(60));
        }
        choices.get(random.nextInt(choices.size())).run();
        byte[] sent = bytes[0] != null ? bytes[0] : body == null ? null : encode(body.toString());
        return new Request(operation.method(), target(operation, path, query), sent);
    }

    /** A pop that may wait for two minutes is no hang: one of the two stays as it is. */
    private void spoil(Map<String, String> query, String name) {
        query.remove(name.equals("timeout") ? "wait" : "");
        if (name.equals("wait")) {
            query.put("timeout", "3");
        }
        query.put(name, hostile.text());
    }

    /** One value anywhere in the body, or its name, or one field more. */
    private void spoil(JsonNode body) {
        List<ObjectNode> objects = new ArrayList<>();
        collect(body, objects);
        ObjectNode object = objects.get(random.nextInt(objects.size()));
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        if (names.isEmpty() || random.nextInt(12) == 0) {
            object.set("unknown", raw());
            return;
        }
        String name = names.get(random.nextInt(names.size()));
        JsonNode value = object.get(name);
        if (random.nextInt(12) == 0) {
            object.remove(name);
        } else if (value instanceof ArrayNode array && random.nextBoolean()) {
            array.set(0, raw());
        } else {
            object.set(name, raw());
        }
    }

    private JsonNode raw() {
        return new POJONode(new RawValue(hostile.json()));
    }

    private static void collect(JsonNode node, List<ObjectNode> objects) {
        if (node instanceof ObjectNode object) {
            objects.add(object);
        }
        node.forEach(child -> collect(child, objects));
    }

    private byte[] spoilWhole(String text) {
        return switch (random.nextInt(8)) {
            case 0 -> new byte[0];
            case 1 -> encode(text.substring(0, random.nextInt(text.length()) + 1));
            case 2 -> encode("[" + text + "]");
            case 3 -> encode(text + text);
            case 4 -> encode("\uFEFF" + text);
            case 5 -> text.getBytes(StandardCharsets.UTF_16);
            case 6 -> encode(hostile.json());
            default -> encode(text.replaceFirst("\\{", "{\"queue\":\"a\",\"queue\":1,\"items\":[],"));
        };
    }

    private String target(Operation operation, Map<String, String> path, Map<String, String> query) {
        String filled = operation.path();
        for (Map.Entry<String, String> value : path.entrySet()) {
            filled = filled.replace("{" + value.getKey() + "}", escaped(value.getValue()));
        }
        StringBuilder target = new StringBuilder(filled);
        char separator = '?';
        for (Map.Entry<String, String> value : query.entrySet()) {
            target.append(separator).append(escaped(value.getKey())).append('=').append(escaped(value.getValue()));
            separator = '&';
        }
        return target.toString();
    }

    /** Mostly as it must be; a percent sign may go as it is. */
    private String escaped(String value) {
        boolean careless = value.startsWith("%") && random.nextBoolean();
        StringBuilder text = new StringBuilder();
        for (byte b : encode(value)) {
            boolean letter = b > 0 && Character.isLetterOrDigit(b);
            boolean plain = letter || b == '-' || b == '_' || (careless && b == '%');
            text.append(plain ? String.valueOf((char) b) : String.format("%%%02X", b & 0xff));
        }
        return text.toString();
    }

    private static byte[] encode(String text) {
        String bytes = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return bytes.replace(BROKEN_AS_UTF_8, MALFORMED).getBytes(StandardCharsets.ISO_8859_1);
    }
}
