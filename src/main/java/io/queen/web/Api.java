package io.queen.web;

import jakarta.ws.rs.core.Application;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What the OpenAPI document says of all routes together; its version is the program's (application.properties). */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Queen",
                        version = "",
                        description = "A message queue server on PostgreSQL. Every error answer has the body `Error`.",
                        license =
                                @License(
                                        name = "Apache-2.0",
                                        url = "https://www.apache.org/licenses/LICENSE-2.0.html")),
        tags = {
            @Tag(name = "Messages", description = "Push, pop, acknowledge"),
            @Tag(name = "Queues", description = "Configure, show, clear and delete"),
            @Tag(name = "Inspection", description = "What there is, message by message and in numbers; dead letters"),
            @Tag(name = "Groups", description = "Consumer groups: where they stand, moving and deleting them"),
            @Tag(name = "Traces", description = "What consumers tell of the messages they work on"),
            @Tag(name = "System", description = "Health, metrics, maintenance")
        },
        components =
                @Components(
                        responses =
                                @APIResponse(
                                        name = "Error",
                                        description = "Any error",
                                        content =
                                                @Content(
                                                        mediaType = "application/json",
                                                        schema = @Schema(implementation = Problem.class)))))
public final class Api extends Application {}
