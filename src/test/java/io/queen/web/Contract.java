package io.queen.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The OpenAPI document as it is written. */
final class Contract {
    private static final String FILE = "/META-INF/openapi.yaml";

    final JsonNode document;

    private Contract(JsonNode document) {
        this.document = document;
    }

    static Contract read() {
        try (InputStream file = Contract.class.getResourceAsStream(FILE)) {
            return new Contract(new YAMLMapper().readTree(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** One of its operations; the name is as in {@link Route}. */
    record Operation(String name, JsonNode text) {
        @Override
        public String toString() {
            return name;
        }
    }

    List<Operation> operations() {
        List<Operation> found = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(method -> {
                    String verb = method.getKey().toUpperCase(Locale.ROOT);
                    found.add(new Operation(verb + " " + path.getKey(), method.getValue()));
                }));
        return found;
    }

    Operation operation(String name) {
        return operations().stream()
                .filter(operation -> operation.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    Stream<JsonNode> parameters(Operation operation) {
        return StreamSupport.stream(operation.text.path("parameters").spliterator(), false)
                .map(this::resolved);
    }

    /** The schema of the JSON of its success. */
    JsonNode answer(Operation operation) {
        return operation.text.get("responses").properties().stream()
                .filter(response -> response.getKey().startsWith("2"))
                .map(response -> response.getValue().at("/content/application~1json/schema"))
                .findFirst()
                .map(this::resolved)
                .orElseThrow();
    }

    /** What stands there, or what it refers to. */
    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }

    /** All that is referred to, as {@code /components/schemas/Ack}. */
    Set<String> references() {
        Set<String> found = new TreeSet<>();
        document.findValuesAsText("$ref").forEach(reference -> found.add(reference.substring(1)));
        return found;
    }

    /** All that can be referred to; a way to show a token is named by {@code security}. */
    Set<String> components() {
        Set<String> found = new TreeSet<>();
        document.get("components").properties().stream()
                .filter(kind -> !kind.getKey().equals("securitySchemes"))
                .forEach(kind -> kind.getValue()
                        .fieldNames()
                        .forEachRemaining(name -> found.add("/components/" + kind.getKey() + "/" + name)));
        return found;
    }
}
