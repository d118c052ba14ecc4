package io.queen.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every manifest is what its kind allows, and every file that a Kustomization names is there and named once. */
class ManifestTest {
    private static final Map<String, Class<?>> KINDS = Map.ofEntries(
            Map.entry("v1 ConfigMap", ConfigMap.class),
            Map.entry("v1 Service", io.fabric8.kubernetes.api.model.Service.class),
            Map.entry("v1 ServiceAccount", ServiceAccount.class),
            Map.entry("apps/v1 Deployment", Deployment.class),
            Map.entry("networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class),
            Map.entry("policy/v1 PodDisruptionBudget", PodDisruptionBudget.class),
            Map.entry("autoscaling/v2 HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
            Map.entry("kustomize.config.k8s.io/v1beta1 Kustomization", Kustomization.class),
            Map.entry("kustomize.config.k8s.io/v1alpha1 Component", Kustomization.class),
            Map.entry("serving.knative.dev/v1 Service", Service.class),
            Map.entry("monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class),
            Map.entry("monitoring.coreos.com/v1 PrometheusRule", PrometheusRule.class),
            Map.entry("keda.sh/v1alpha1 ScaledObject", Keda.ScaledObject.class),
            Map.entry("keda.sh/v1alpha1 TriggerAuthentication", Keda.TriggerAuthentication.class),
            Map.entry("postgresql.cnpg.io/v1 Cluster", CloudNativePg.Cluster.class),
            Map.entry("postgresql.cnpg.io/v1 Pooler", CloudNativePg.Pooler.class));
    /** Values for the Prometheus adapter, no object of Kubernetes. */
    private static final Path ADAPTER = Manifests.DIRECTORY.resolve("components/autoscaled/adapter-rules.yaml");

    static List<Path> manifests() throws IOException {
        return Manifests.files().stream().filter(file -> !file.equals(ADAPTER)).toList();
    }

    static List<Path> kustomizations() throws IOException {
        return Manifests.files().stream()
                .filter(file -> file.endsWith("kustomization.yaml"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void manifest_always_isOfItsKind(Path file) {
        JsonNode manifest = Manifests.read(file);
        String kind = kind(manifest);
        assertThat(KINDS).containsKey(kind);
        assertThat(Manifests.read(file, KINDS.get(kind))).isNotNull();
    }

    /** The check itself: it must not take what no cluster would. */
    @Test
    void check_misspeltFieldOrWrongValue_isFound() {
        String deployment = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  %s";
        for (String wrong : new String[] {"replica: 2", "replicas: two", "template: {spec: {container: []}}"}) {
            assertThatThrownBy(() -> Manifests.YAML.readValue(deployment.formatted(wrong), Deployment.class))
                    .as(wrong)
                    .isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> Manifests.YAML.readValue("spec: {minReplicas: 1}", Keda.ScaledObject.class))
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @MethodSource("kustomizations")
    void kustomization_always_namesWhatIsThere(Path file) {
        Kustomization kustomization = Manifests.read(file, Kustomization.class);
        Path directory = file.getParent();
        for (String resource : kustomization.resources()) {
            Path path = directory.resolve(resource).normalize();
            assertThat(Files.isDirectory(path) ? path.resolve("kustomization.yaml") : path)
                    .isRegularFile();
            // Kustomize takes files from its own directory only.
            assertThat(Files.isDirectory(path) || path.getParent().equals(directory))
                    .isTrue();
        }
        kustomization
                .components()
                .forEach(component -> assertThat(
                                kustomization(directory.resolve(component)).kind())
                        .isEqualTo("Component"));
        kustomization
                .configMapGenerator()
                .forEach(made -> made.files()
                        .forEach(name -> assertThat(directory.resolve(name)).isRegularFile()));
    }

    /** A component is nothing by itself: it is put together with what it adds to, wherever it is used. */
    @ParameterizedTest
    @MethodSource("kustomizations")
    void kustomization_always_fitsTogether(Path file) throws IOException {
        if (Manifests.read(file, Kustomization.class).kind().equals("Component")) {
            assertThat(used()).contains(file.getParent());
        } else {
            assertThat(objects(file.getParent())).isNotEmpty();
        }
    }

    @Test
    void combination_inTheReadme_fitsTogether() throws IOException {
        Matcher example = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Manifests.DIRECTORY.resolve("README.md")));
        assertThat(example.find()).isTrue();
        Set<String> objects = new TreeSet<>();
        assemble(Path.of(""), Manifests.YAML.readValue(example.group(1), Kustomization.class), objects);
        assertThat(objects)
                .contains("postgresql.cnpg.io/v1 Cluster queen-db", "autoscaling/v2 HorizontalPodAutoscaler queen");
    }

    private static Set<Path> used() throws IOException {
        Set<Path> used = new HashSet<>();
        for (Path file : kustomizations()) {
            Manifests.read(file, Kustomization.class)
                    .components()
                    .forEach(
                            component -> used.add(file.resolveSibling(component).normalize()));
        }
        return used;
    }

    private static Kustomization kustomization(Path directory) {
        return Manifests.read(directory.normalize().resolve("kustomization.yaml"), Kustomization.class);
    }

    private static Set<String> objects(Path directory) {
        Set<String> objects = new TreeSet<>();
        assemble(directory, kustomization(directory), objects);
        return objects;
    }

    /** As kustomize does it: an object that is there already is refused, and so is a patch for one that is not. */
    private static void assemble(Path directory, Kustomization kustomization, Set<String> objects) {
        for (String resource : kustomization.resources()) {
            Path path = directory.resolve(resource).normalize();
            Set<String> added = Files.isDirectory(path) ? objects(path) : Set.of(identity(Manifests.read(path)));
            assertThat(objects).as("%s in %s", resource, directory).doesNotContainAnyElementsOf(added);
            objects.addAll(added);
        }
        kustomization.configMapGenerator().forEach(made -> objects.add("v1 ConfigMap " + made.name()));
        for (String component : kustomization.components()) {
            Path path = directory.resolve(component).normalize();
            assemble(path, kustomization(path), objects);
        }
        for (Kustomization.Patch patch : kustomization.patches()) {
            assertThat(objects).contains(identity(Manifests.read(directory.resolve(patch.path()))));
        }
    }

    private static String kind(JsonNode object) {
        return object.path("apiVersion").asText() + " " + object.path("kind").asText();
    }

    private static String identity(JsonNode object) {
        return kind(object) + " " + object.path("metadata").path("name").asText();
    }

    @Test
    void files_always_belongToAKustomization() throws IOException {
        for (Path file : manifests()) {
            Path kustomization = file.resolveSibling("kustomization.yaml");
            assertThat(Files.readString(kustomization))
                    .as(file.toString())
                    .contains(
                            file.equals(kustomization)
                                    ? "kustomize.config.k8s.io"
                                    : file.getFileName().toString());
        }
    }
}
