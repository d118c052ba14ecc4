package io.queen.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queen.fuzz.Operations.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Values that are right, of a queue that only this run knows. */
final class Sample {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private final Random random;
    private final String queue;
    private final String partitionId;

    Sample(Random random, String queue, String partitionId) {
        this.random = random;
        this.queue = queue;
        this.partitionId = partitionId;
    }

    Map<String, String> query(Operation operation) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : operation.query()) {
            if (random.nextInt(3) > 0) {
                values.put(name, text(name));
            }
        }
        // The default is half a minute.
        values.computeIfPresent("wait", (name, wait) -> values.containsKey("timeout") ? wait : "false");
        return values;
    }

    /** The path with all its parameters as they are named, to be filled in by {@link #text}. */
    Map<String, String> path(Operation operation) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : operation.path().split("/", -1)) {
            if (part.startsWith("{")) {
                String name = part.substring(1, part.length() - 1);
                values.put(name, text(name));
            }
        }
        return values;
    }

    JsonNode body(JsonNode schema, String name) {
        if (schema.has("properties")) {
            ObjectNode object = JSON.objectNode();
            schema.get("properties").properties().forEach(property -> {
                boolean optional = !schema.path("required").toString().contains('"' + property.getKey() + '"');
                if (!optional || random.nextInt(4) > 0) {
                    object.set(property.getKey(), body(property.getValue(), property.getKey()));
                }
            });
            return object;
        }
        return switch (schema.path("type").asText()) {
            case "array" ->
                JSON.arrayNode().add(body(schema.path("items"), name)).add(body(schema.path("items"), name));
            case "integer", "number" -> JSON.numberNode(random.nextInt(5));
            // Never true: maintenance would be switched on for everybody.
            case "boolean" -> JSON.booleanNode(false);
            case "string" ->
                JSON.textNode(schema.has("enum") ? schema.at("/enum/0").asText() : text(name));
            default -> JSON.objectNode().put("n", random.nextInt());
        };
    }

    private String text(String name) {
        return switch (name) {
            case "queue" -> queue;
            case "partition" -> "p" + random.nextInt(3);
            case "partitionId" -> partitionId;
            case "leaseId", "traceId", "requiredLeases" -> "01234567-89ab-7def-8123-456789abcdef";
            case "transactionId" -> "t" + random.nextInt(50);
            case "group", "consumerGroup" -> queue + "-group";
            case "from", "timestamp", "subscriptionTimestamp", "subscriptionFrom" -> "2h ago";
            case "to" -> "now";
            case "interval" -> "minute";
            case "status" -> "pending";
            case "wait" -> String.valueOf(random.nextBoolean());
            case "autoAck", "deleteMetadata", "includePartitions" -> "false";
            case "timeout", "batch", "partitions", "limit", "offset", "minLagSeconds" -> "3";
            default -> "fuzz";
        };
    }
}
