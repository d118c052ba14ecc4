package io.queen.dashboard;

import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.vertx.core.Future;
import io.vertx.core.file.FileProps;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Serves a dashboard from a directory, if one is configured: a file where there is one, {@code index.html} for all other
 * paths, because the page finds its way by itself. The paths of the API stay the API's. Files are read outside of the
 * event loop.
 */
@Singleton
final class Webapp {
    private static final Logger LOG = Logger.getLogger(Webapp.class);
    private static final String INDEX = "index.html";
    private static final int NOT_FOUND = 404;
    private static final List<String> OURS =
            List.of("/api/", "/health", "/metrics", "/ws/", "/internal/", "/streams/", "/q/");

    private final Path root;

    Webapp(QueenConfig config) {
        this.root = config.webappRoot()
                .map(directory -> Path.of(directory).toAbsolutePath().normalize())
                .orElse(null);
    }

    /** Before the resources, which would answer 404 to what they do not know. */
    void register(@Observes Router router) {
        if (root == null) {
            return;
        }
        if (!Files.isDirectory(root)) {
            LOG.warnf("There is no dashboard at %s (WEBAPP_ROOT): it is not served", root);
            return;
        }
        router.route("/*")
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .order(Integer.MIN_VALUE + 2)
                .handler(this::serve);
    }

    private void serve(RoutingContext context) {
        String path = context.request().path();
        if (OURS.stream().anyMatch(path::startsWith)) {
            context.next();
            return;
        }
        try {
            serve(context, locate(path));
        } catch (IllegalArgumentException e) {
            context.fail(400);
        }
    }

    private void serve(RoutingContext context, Path file) {
        if (!file.startsWith(root)) {
            context.fail(new QueenException(ErrorCode.FORBIDDEN, "The path leads out of the dashboard"));
            return;
        }
        regular(context, file)
                .onSuccess(props -> send(context, file, props.size()))
                .onFailure(none -> sendOther(context, file.startsWith(root.resolve("assets"))));
    }

    /** The file that the path names, wherever that is. */
    private Path locate(String path) {
        String decoded = URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        return root.resolve("." + decoded).normalize();
    }

    private void sendOther(RoutingContext context, boolean asset) {
        if (asset) {
            context.fail(NOT_FOUND);
            return;
        }
        Path index = root.resolve(INDEX);
        regular(context, index)
                .onSuccess(props -> send(context, index, props.size()))
                .onFailure(none -> context.fail(NOT_FOUND));
    }

    private static Future<FileProps> regular(RoutingContext context, Path file) {
        return context.vertx()
                .fileSystem()
                .props(file.toString())
                .compose(props ->
                        props.isRegularFile() ? Future.succeededFuture(props) : Future.failedFuture("not a file"));
    }

    private void send(RoutingContext context, Path file, long size) {
        HttpServerResponse response = context.response();
        String name = root.relativize(file).toString();
        response.putHeader(HttpHeaders.CONTENT_TYPE, WebappFile.type(name));
        response.putHeader(HttpHeaders.CACHE_CONTROL, WebappFile.cacheControl(name));
        if (HttpMethod.HEAD.equals(context.request().method())) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(size)).end();
        } else {
            response.sendFile(file.toString()).onFailure(context::fail);
        }
    }
}
