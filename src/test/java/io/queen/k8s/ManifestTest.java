package io.queen.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
            Map.entry("policy/v1 PodDisruptionBudget", PodDisruptionBudget.class),
            Map.entry("autoscaling/v2 HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
            Map.entry("kustomize.config.k8s.io/v1beta1 Kustomization", Kustomization.class),
            Map.entry("serving.knative.dev/v1 Service", Service.class),
            Map.entry("monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class),
            Map.entry("monitoring.coreos.com/v1 PrometheusRule", PrometheusRule.class),
            Map.entry("keda.sh/v1alpha1 ScaledObject", Keda.ScaledObject.class),
            Map.entry("postgresql.cnpg.io/v1 Cluster", CloudNativePg.Cluster.class),
            Map.entry("postgresql.cnpg.io/v1 Pooler", CloudNativePg.Pooler.class));
    /** Values for the Prometheus adapter, no object of Kubernetes. */
    private static final Path ADAPTER = Manifests.DIRECTORY.resolve("overlays/autoscaled/adapter-rules.yaml");

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
        String kind = manifest.path("apiVersion").asText() + " "
                + manifest.path("kind").asText();
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
        kustomization.patches().forEach(patch -> patches(kustomization, directory, directory.resolve(patch.path())));
        kustomization
                .configMapGenerator()
                .forEach(made -> made.files()
                        .forEach(name -> assertThat(directory.resolve(name)).isRegularFile()));
    }

    /** A patch is for an object of the same kind and name among the resources, or it would be for nothing. */
    private static void patches(Kustomization kustomization, Path directory, Path patch) {
        assertThat(patch).isRegularFile();
        assertThat(objects(directory, kustomization)).contains(identity(Manifests.read(patch)));
    }

    private static List<String> objects(Path directory, Kustomization kustomization) {
        return kustomization.resources().stream()
                .map(resource -> directory.resolve(resource).normalize())
                .flatMap(path -> Files.isDirectory(path)
                        ? objects(path, Manifests.read(path.resolve("kustomization.yaml"), Kustomization.class))
                                .stream()
                        : Stream.of(identity(Manifests.read(path))))
                .toList();
    }

    private static String identity(JsonNode object) {
        return object.path("kind").asText() + "/"
                + object.path("metadata").path("name").asText();
    }

    @Test
    void files_always_belongToAKustomization() throws IOException {
        for (Path file : manifests()) {
            Path kustomization = file.resolveSibling("kustomization.yaml");
            assertThat(Files.readString(kustomization))
                    .as(file.toString())
                    .contains(
                            file.equals(kustomization)
                                    ? "kind: Kustomization"
                                    : file.getFileName().toString());
        }
    }
}
