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
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;

/**
 * Looks at the query of every request before its resource does: a value that PostgreSQL can't hold is refused, a name
 * that the route does not have goes to {@link UnknownNames}. Which names a route has is what the OpenAPI document says,
 * so that what is described and what is known can't differ.
 */
@Singleton
final class QueryNames {
    private final OpenApiDocumentService documents;
    private final Map<RuntimeResource, Set<String>> ofResources = new ConcurrentHashMap<>();
    private Map<String, Set<String>> ofRoutes;

    QueryNames(OpenApiDocumentService documents) {
        this.documents = documents;
    }

    /** Before the port opens: the document has 150 KB. */
    void read(@Observes StartupEvent start) {
        byte[] document = documents.getDocument(OpenApiConstants.DEFAULT_DOCUMENT_NAME, Format.JSON);
        ofRoutes = names(new JsonObject(Buffer.buffer(document)).getJsonObject("paths"));
    }

    @ServerRequestFilter
    void check(RoutingContext context) {
        if (context.request().query() != null) {
            Set<String> known = ofResources.computeIfAbsent(
                    CurrentRequestManager.get().getTarget(),
                    resource -> ofRoutes.getOrDefault(route(resource), Set.of()));
            check(context.queryParams(), known);
        }
    }

    private static void check(MultiMap query, Set<String> known) {
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

    /** Method and path as in the document: {@code GET /api/v1/pop/queue/{queue}}. */
    static String route(RuntimeResource resource) {
        String path = resource.getClassPath().template + resource.getPath().template;
        return resource.getHttpMethod() + " "
                + (path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    private static Map<String, Set<String>> names(JsonObject paths) {
        Map<String, Set<String>> found = new HashMap<>();
        for (String path : paths.fieldNames()) {
            JsonObject methods = paths.getJsonObject(path);
            for (String method : methods.fieldNames()) {
                JsonArray parameters = methods.getJsonObject(method).getJsonArray("parameters", new JsonArray());
                found.put(method.toUpperCase(Locale.ROOT) + " " + path, names(parameters));
            }
        }
        return found;
    }

    private static Set<String> names(JsonArray parameters) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.getJsonObject(i).getString("in").equals("query")) {
                names.add(parameters.getJsonObject(i).getString("name"));
            }
        }
        return names;
    }
}
