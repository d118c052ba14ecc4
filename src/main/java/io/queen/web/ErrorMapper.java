package io.queen.web;

import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.queen.message.ErrorCode;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers for exceptions of resources. Those outside of resources are answered by {@link Routes}. */
final class ErrorMapper {

    @ServerExceptionMapper({Throwable.class, NotFoundException.class, MismatchedInputException.class})
    Response map(Throwable failure, HttpServerRequest request) {
        Problem problem = Failures.problem(failure, request.method().name(), request.path());
        Response.ResponseBuilder answer =
                Response.status(problem.status()).type(Problem.CONTENT_TYPE).entity(problem);
        if (problem.code().retryable()) {
            answer.header(HttpHeaders.RETRY_AFTER, Problem.RETRY_AFTER_SECONDS);
        }
        if (problem.code() == ErrorCode.METHOD_NOT_ALLOWED) {
            answer.header(HttpHeaders.ALLOW, AllowedMethods.of(request.path()));
        }
        return answer.build();
    }
}
