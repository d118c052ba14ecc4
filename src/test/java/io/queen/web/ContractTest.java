package io.queen.web;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.queen.message.ErrorCode;
import io.queen.web.Contract.Operation;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The OpenAPI document is written by hand: it says what the resources do, no more and no less. */
class ContractTest {
    /** Served by the router, not by a resource. */
    private static final Set<String> WITHOUT_RESOURCE = Set.of("GET /", "GET /api/v1", "GET /metrics/prometheus");

    private static final Set<String> NOT_OFFERED = Set.of("501");

    private static final Contract CONTRACT = Contract.read();

    static List<Operation> operations() {
        return CONTRACT.operations();
    }

    static List<Route> routes() {
        return Route.all();
    }

    @Test
    void routes_ofTheResources_areThoseOfTheDocument() {
        Stream<String> served = Stream.concat(routes().stream().map(Route::name), WITHOUT_RESOURCE.stream());
        assertThat(operations()).extracting(Operation::name).containsExactlyInAnyOrderElementsOf(served.toList());
    }

    @ParameterizedTest
    @MethodSource("routes")
    void parameters_thatTheResourceReads_areThoseOfTheDocument(Route route) {
        assertThat(CONTRACT.parameters(CONTRACT.operation(route.name()))
                        .filter(parameter ->
                                !parameter.path("description").asText().startsWith("No effect"))
                        .map(parameter -> parameter.get("in").asText() + " "
                                + parameter.get("name").asText()))
                .containsExactlyInAnyOrderElementsOf(route.parameters());
    }

    @ParameterizedTest
    @MethodSource("routes")
    void body_thatTheResourceReads_isInTheDocument(Route route) {
        assertThat(CONTRACT.operation(route.name()).text().has("requestBody")).isEqualTo(route.body());
    }

    @ParameterizedTest
    @MethodSource("routes")
    void answer_thatIsARecord_hasTheFieldsOfTheDocument(Route route) {
        if (route.answer().isRecord()) {
            assertFields(route.answer(), CONTRACT.answer(CONTRACT.operation(route.name())));
        }
    }

    @Test
    void error_always_hasTheFieldsAndCodesOfTheDocument() {
        assertFields(Problem.class, CONTRACT.document.at("/components/schemas/Error"));
        assertThat(CONTRACT.document.at("/components/schemas/ErrorCode/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(
                        Arrays.stream(ErrorCode.values()).map(Enum::name).toList());
    }

    private static void assertFields(Class<?> type, JsonNode schema) {
        assertThat(schema.path("properties").properties().stream().map(property -> property.getKey()))
                .as(type.getName())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(type.getRecordComponents())
                        .map(ContractTest::name)
                        .toList());
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getType().isRecord()) {
                JsonNode field = schema.at("/properties/" + name(component));
                assertFields(component.getType(), CONTRACT.resolved(field.has("anyOf") ? field.at("/anyOf/0") : field));
            }
        }
    }

    private static String name(RecordComponent component) {
        JsonProperty name = component.getAccessor().getAnnotation(JsonProperty.class);
        return name == null ? component.getName() : name.value();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void operation_always_isNamedAndHasAnAnswerAndAnError(Operation operation) {
        assertThat(operation.text().path("operationId").asText()).isNotEmpty();
        assertThat(operation.text().path("summary").asText()).isNotEmpty();
        assertThat(operation.text().path("tags"))
                .isNotEmpty()
                .allMatch(tag ->
                        CONTRACT.document.get("tags").findValuesAsText("name").contains(tag.asText()));
        Set<String> statuses = operation.text().get("responses").properties().stream()
                .map(response -> response.getKey())
                .collect(toCollection(TreeSet::new));
        if (!statuses.equals(NOT_OFFERED)) {
            assertThat(statuses).contains("default").anyMatch(status -> status.startsWith("2"));
        }
    }

    @Test
    void components_always_areThereAndReferredTo() {
        assertThat(CONTRACT.references()).isEqualTo(CONTRACT.components());
    }
}
