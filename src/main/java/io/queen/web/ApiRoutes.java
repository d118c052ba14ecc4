package io.queen.web;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.smallrye.openapi.runtime.OpenApiConstants;
import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.smallrye.openapi.runtime.io.Format;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;

/**
 * The routes as the OpenAPI document has them, so that what is described and what is known can't differ. Looks at the
 * query of every request before its resource does: a value that PostgreSQL can't hold is refused, a name that the route
 * does not have goes to {@link UnknownNames}.
 */
@Singleton
public final class ApiRoutes {
    private final OpenApiDocumentService documents;
    private final Map<RuntimeResource, Set<String>> queryNames = new ConcurrentHashMap<>();
    private Map<String, Route> routes;

    ApiRoutes(OpenApiDocumentService documents) {
        this.documents = documents;
    }

    /** A method of a path. */
    private record Route(String method, Pattern path, Set<String> queryNames, String operationId) {}

    /** Before the port opens: the document has 150 KB. */
    void read(@Observes StartupEvent start) {
        byte[] json = documents.getDocument(OpenApiConstants.DEFAULT_DOCUMENT_NAME, Format.JSON);
        JsonObject document = new JsonObject(Buffer.buffer(json));
        JsonObject shared = document.getJsonObject("components").getJsonObject("parameters");
        JsonObject paths = document.getJsonObject("paths");
        routes = new HashMap<>();
        for (String path : paths.fieldNames()) {
            JsonObject operations = paths.getJsonObject(path);
            for (String key : operations.fieldNames()) {
                String method = key.toUpperCase(Locale.ROOT);
                Set<String> names = queryNames(operations.getJsonObject(key), shared);
                String id = operations.getJsonObject(key).getString("operationId");
                routes.put(method + " " + path, new Route(method, pattern(path), names, id));
            }
        }
    }

    private static Set<String> queryNames(JsonObject operation, JsonObject shared) {
        JsonArray parameters = operation.getJsonArray("parameters", new JsonArray());
        Set<String> names = new HashSet<>();
        for (int i = 0; i < parameters.size(); i++) {
            JsonObject parameter = resolved(parameters.getJsonObject(i), shared);
            if (parameter.getString("in").equals("query")) {
                names.add(parameter.getString("name"));
            }
        }
        return names;
    }

    /** What stands there, or what it refers to: {@code #/components/parameters/limit}. */
    private static JsonObject resolved(JsonObject parameter, JsonObject shared) {
        String reference = parameter.getString("$ref");
        return reference == null
                ? parameter
                : shared.getJsonObject(reference.substring(reference.lastIndexOf('/') + 1));
    }

    /** A template such as {@code /lease/{leaseId}/extend} as an expression: a parameter is one segment. */
    private static Pattern pattern(String template) {
        return Pattern.compile(template.replaceAll("\\{\\w+}", "[^/]+") + "/?");
    }

    /** Method and path as in the document: {@code GET /api/v1/pop/queue/{queue}}. */
    public static String name(RuntimeResource resource) {
        String path = resource.getClassPath().template + resource.getPath().template;
        return resource.getHttpMethod() + " "
                + (path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    /** What the document calls it. */
    public String operationId(RuntimeResource resource) {
        return routes.get(name(resource)).operationId;
    }

    /** For the header {@code Allow}, which HTTP demands with a 405. */
    String allowedMethods(String path) {
        Set<String> methods = new TreeSet<>(Set.of("OPTIONS"));
        routes.values().stream()
                .filter(route -> route.path.matcher(path).matches())
                .forEach(route -> methods.add(route.method));
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return String.join(", ", methods);
    }

    @ServerRequestFilter
    void checkQuery(RoutingContext context) {
        if (context.request().query() != null) {
            checkQuery(
                    context.queryParams(),
                    queryNames.computeIfAbsent(CurrentRequestManager.get().getTarget(), this::queryNames));
        }
    }

    private Set<String> queryNames(RuntimeResource resource) {
        Route route = routes.get(name(resource));
        return route == null ? Set.of() : route.queryNames;
    }

    private static void checkQuery(MultiMap query, Set<String> known) {
        UnknownNames.Found unknown = null;
        for (Map.Entry<String, String> parameter : query) {
            String name = parameter.getKey();
            if (known.contains(name)) {
                FieldRules.checked(parameter.getValue(), name);
            } else {
                unknown = UnknownNames.add(unknown, "", name);
            }
        }
        if (unknown != null) {
            keep(query, known);
            UnknownNames.tell(unknown);
        }
    }

    /** Vert.x finds parameters in any case: what is told as ignored must be. */
    private static void keep(MultiMap query, Set<String> known) {
        List<Map.Entry<String, String>> kept = query.entries().stream()
                .filter(parameter -> known.contains(parameter.getKey()))
                .map(Map.Entry::copyOf)
                .toList();
        query.clear();
        kept.forEach(parameter -> query.add(parameter.getKey(), parameter.getValue()));
    }
}
