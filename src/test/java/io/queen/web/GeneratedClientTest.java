package io.queen.web;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that is generated from the OpenAPI document compiles. The generator is a program of its own (pom.xml). */
@QuarkusTest
class GeneratedClientTest {
    private static final Path GENERATOR = Path.of("target", "tools", "openapi-generator-cli.jar");
    private static final int PATIENCE_SECONDS = 180;

    @TempDir
    Path directory;

    @Test
    void client_generatedFromTheDocument_compiles() throws IOException, InterruptedException {
        Path document = Files.writeString(
                directory.resolve("openapi.json"),
                given().queryParam("format", "JSON").get("/q/openapi").asString());
        Path log = directory.resolve("log");
        generate(document, log);
        assertThat(log).content().doesNotContain("operationId", "ERROR");
        List<Path> sources = sources(directory.resolve("client/src/main/java"));
        assertThat(sources).hasSizeGreaterThan(50);
        assertThat(compile(sources)).isEmpty();
    }

    private void generate(Path document, Path log) throws IOException, InterruptedException {
        Process generator = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        GENERATOR.toString(),
                        "generate",
                        "--generator-name=java",
                        "--library=native",
                        "--additional-properties=openApiNullable=false,useJakartaEe=true",
                        "--global-property=apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false",
                        "--input-spec=" + document,
                        "--output=" + directory.resolve("client"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(generator.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(generator.exitValue()).as(Files.readString(log)).isZero();
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /** What the compiler complains about; it has the libraries of the tests. */
    private String compile(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean done = compiler.getTask(
                            complaints,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-nowarn",
                                    "-Xlint:none",
                                    "-d",
                                    Files.createDirectories(directory.resolve("classes"))
                                            .toString(),
                                    "-classpath",
                                    System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            return done ? "" : complaints.toString();
        }
    }
}
