package io.queen.web;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.util.RuntimeResourceVisitor;

/**
 * Which methods a path takes, for the {@code Allow} header that HTTP demands with a 405 and the REST layer leaves out.
 * Read once from the resources, when the first client needs it.
 */
final class AllowedMethods {
    private static volatile List<Route> routes;

    private AllowedMethods() {}

    private record Route(String method, Pattern path) {}

    /** The value of the header; to be called while a request is being answered. */
    static String of(String path) {
        if (routes == null) {
            routes = read();
        }
        TreeSet<String> methods = new TreeSet<>(List.of("OPTIONS"));
        routes.stream().filter(route -> route.path.matcher(path).matches()).forEach(route -> methods.add(route.method));
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return String.join(", ", methods);
    }

    private static List<Route> read() {
        List<Route> found = new ArrayList<>();
        var resources = CurrentRequestManager.get().getDeployment().getClassMappers();
        RuntimeResourceVisitor.visitRuntimeResources("", resources, new RuntimeResourceVisitor() {
            @Override
            public void visitRuntimeResource(String method, String path, RuntimeResource resource) {
                found.add(new Route(method, pattern(path)));
            }
        });
        return List.copyOf(found);
    }

    /** A template such as {@code /lease/{leaseId}/extend} as an expression: a parameter is one segment. */
    static Pattern pattern(String template) {
        StringBuilder expression = new StringBuilder();
        for (String part : template.split("(?=\\{)|(?<=\\})", -1)) {
            expression.append(part.startsWith("{") ? "[^/]+" : Pattern.quote(part));
        }
        return Pattern.compile(expression + "/?");
    }
}
