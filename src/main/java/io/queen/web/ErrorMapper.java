package io.queen.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.runtime.OutOfMemory;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * From any exception to the body the client gets: the one place that decides it. Answers for exceptions of resources;
 * those outside of resources are answered by {@link Routes}.
 */
@Singleton
final class ErrorMapper {
    private static final Logger LOG = Logger.getLogger(ErrorMapper.class);

    private final ApiRoutes routes;

    ErrorMapper(ApiRoutes routes) {
        this.routes = routes;
    }

    @ServerExceptionMapper({Throwable.class, NotFoundException.class, MismatchedInputException.class})
    Response map(Throwable failure, HttpServerRequest request) {
        Problem problem = problem(failure, request.method().name(), request.path());
        Response.ResponseBuilder answer =
                Response.status(problem.status()).type(Problem.CONTENT_TYPE).entity(problem);
        if (problem.code().retryable()) {
            answer.header(HttpHeaders.RETRY_AFTER, Problem.RETRY_AFTER_SECONDS);
        }
        if (problem.code() == ErrorCode.METHOD_NOT_ALLOWED) {
            answer.header(HttpHeaders.ALLOW, routes.allowedMethods(request.path()));
        }
        return answer.build();
    }

    static Problem problem(Throwable failure, String method, String path) {
        OutOfMemory.check(failure);
        if (failure instanceof QueenException known) {
            return known(known, method, path);
        }
        if (failure instanceof JsonMappingException mapping) {
            return mapping(mapping, path);
        }
        if (failure instanceof StreamConstraintsException) {
            return Problem.of(
                    ErrorCode.INVALID_JSON, "Invalid JSON: it is nested too deep, or a value is too long", path);
        }
        if (failure instanceof JsonProcessingException json) {
            return Problem.of(ErrorCode.INVALID_JSON, "Invalid JSON: " + json.getOriginalMessage(), path);
        }
        if (failure instanceof WebApplicationException && failure.getCause() instanceof JsonProcessingException json) {
            return problem(json, method, path);
        }
        if (failure instanceof WebApplicationException web && web.getResponse().getStatus() < 500) {
            return ofStatus(web.getResponse().getStatus(), method, path);
        }
        return unforeseen(failure, method, path);
    }

    /** For what the HTTP layer itself refuses: it knows a status and no more. */
    static Problem ofStatus(int status, String method, String path) {
        return switch (status) {
            case 404 -> Problem.of(ErrorCode.NOT_FOUND, "There is nothing at " + path, path);
            case 405 -> Problem.of(ErrorCode.METHOD_NOT_ALLOWED, path + " does not take " + method, path);
            case 406 -> Problem.of(ErrorCode.NOT_ACCEPTABLE, path + " answers in application/json only", path);
            case 413 -> Problem.of(ErrorCode.BODY_TOO_LARGE, "The body is larger than the server accepts", path);
            case 415 -> Problem.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE, path + " takes application/json only", path);
            case 501 -> Problem.of(ErrorCode.NOT_IMPLEMENTED, "The server does not offer " + method, path);
            default -> Problem.of(ErrorCode.BAD_REQUEST, "The request is not valid", path);
        };
    }

    private static Problem known(QueenException failure, String method, String path) {
        if (failure.getCause() != null) {
            LOG.debugf(failure.getCause(), "%s %s: %s", method, path, failure.code());
        }
        return Problem.of(failure, path);
    }

    private static Problem mapping(JsonMappingException failure, String path) {
        String field = failure.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining());
        if (field.isEmpty()) {
            return Problem.of(ErrorCode.INVALID_JSON, "Invalid JSON: not what this path takes", path);
        }
        String name = field.startsWith(".") ? field.substring(1) : field;
        return Problem.of(QueenException.invalid(name, "has a value of the wrong type"), path);
    }

    private static Problem unforeseen(Throwable failure, String method, String path) {
        String errorId = UUID.randomUUID().toString();
        LOG.errorf(failure, "Request failed, errorId=%s method=%s path=%s", errorId, method, path);
        return Problem.internal(errorId, path);
    }
}
