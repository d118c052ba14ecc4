package io.queen.web;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;

/**
 * What a method of a resource serves and reads, from its annotations.
 *
 * @param parameters as {@code query limit}, {@code path queue}, {@code header X-Queen-Consumer}
 * @param answer the type that Jackson writes; {@code byte[]} for an answer that the resource writes itself
 */
record Route(String name, Set<String> parameters, boolean body, Class<?> answer) {

    /** Those of the program; the tests have resources of their own. */
    static List<Route> all() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.queen").stream()
                        .filter(type -> type.isAnnotatedWith(Path.class))
                        .map(JavaClass::reflect)
                        .flatMap(Route::of)
                        .toList();
    }

    private static Stream<Route> of(Class<?> resource) {
        return Arrays.stream(resource.getDeclaredMethods())
                .flatMap(method -> verbs(method).map(verb -> of(verb + " " + path(resource) + path(method), method)));
    }

    private static Stream<String> verbs(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                .filter(verb -> verb != null)
                .map(HttpMethod::value);
    }

    private static String path(AnnotatedElement element) {
        Path path = element.getAnnotation(Path.class);
        return path == null ? "" : path.value();
    }

    private static Route of(String name, Method method) {
        Set<String> parameters = new TreeSet<>();
        boolean body = false;
        for (Parameter parameter : method.getParameters()) {
            read(parameter, parameter.getName(), parameters);
            if (parameter.isAnnotationPresent(BeanParam.class)) {
                for (Field field : parameter.getType().getDeclaredFields()) {
                    read(field, field.getName(), parameters);
                }
            }
            body |= parameter.getAnnotations().length == 0;
        }
        return new Route(name, parameters, body, answer(method.getGenericReturnType()));
    }

    private static void read(AnnotatedElement element, String name, Set<String> parameters) {
        for (Annotation annotation : element.getAnnotations()) {
            if (annotation instanceof RestQuery query) {
                parameters.add("query " + (query.value().isEmpty() ? name : query.value()));
            } else if (annotation instanceof RestHeader header) {
                parameters.add("header " + header.value());
            } else if (annotation instanceof PathParam path) {
                parameters.add("path " + path.value());
            }
        }
    }

    /** {@code Health} of {@code Uni<RestResponse<Health>>}. */
    private static Class<?> answer(Type type) {
        if (type instanceof ParameterizedType of) {
            Type[] arguments = of.getActualTypeArguments();
            return answer(arguments[arguments.length - 1]);
        }
        return (Class<?>) type;
    }
}
