package io.queen.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The operations of the OpenAPI document. */
final class Operations {
    private final JsonNode document;

    private Operations(JsonNode document) {
        this.document = document;
    }

    /** One of them; the body is null when it takes none. */
    record Operation(String method, String path, List<String> query, JsonNode body) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    static List<Operation> of(String document) throws IOException {
        return new Operations(new ObjectMapper().readTree(document)).all();
    }

    private List<Operation> all() {
        List<Operation> found = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> found.add(operation(method.getKey(), path.getKey(), method.getValue()))));
        return found;
    }

    private Operation operation(String method, String path, JsonNode operation) {
        List<String> query = new ArrayList<>();
        for (JsonNode written : operation.path("parameters")) {
            JsonNode parameter = resolved(written);
            if (parameter.get("in").asText().equals("query")) {
                query.add(parameter.get("name").asText());
            }
        }
        JsonNode schema = operation
                .path("requestBody")
                .path("content")
                .path("application/json")
                .path("schema");
        return new Operation(
                method.toUpperCase(Locale.ROOT), path, query, schema.isMissingNode() ? null : whole(schema));
    }

    /** The schema with what it refers to in its place. */
    private JsonNode whole(JsonNode schema) {
        if (schema.has("$ref")) {
            return whole(resolved(schema));
        }
        JsonNode copy = schema.deepCopy();
        copy.path("properties").properties().forEach(property -> property.setValue(whole(property.getValue())));
        if (copy.has("items")) {
            ((com.fasterxml.jackson.databind.node.ObjectNode) copy).set("items", whole(copy.get("items")));
        }
        return copy;
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }
}
