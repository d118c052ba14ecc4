package io.queen.k8s;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files under {@code k8s/}. */
final class Manifests {
    static final Path DIRECTORY = Path.of("k8s");

    /** Strict: a field that the type does not have, or of another kind, is an error. */
    static final ObjectMapper YAML = JsonMapper.builder(new YAMLFactory())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .annotationIntrospector(new NothingBeside())
            .build();

    private Manifests() {}

    /** The models put what they don't know into a map beside their fields; here there is no such map. */
    private static final class NothingBeside extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    static JsonNode read(Path file) {
        try {
            return YAML.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    static <T> T read(Path file, Class<T> type) {
        try {
            return YAML.readValue(file.toFile(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}
