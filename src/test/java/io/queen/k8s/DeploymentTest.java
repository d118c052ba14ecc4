package io.queen.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.queen.config.QueenConfig;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the manifests say of the server is what the server is: its version, its settings, its way to stop. */
class DeploymentTest {
    /** What comes after the requests: the buffer has 5 s to close, the last figures 2, the sidecars 5. */
    private static final int MARGIN_SECONDS = 12;

    private static final Path BASE = Manifests.DIRECTORY.resolve("base/deployment.yaml");
    private static final Path KNATIVE = Manifests.DIRECTORY.resolve("overlays/knative/service.yaml");

    private static PodSpec pod() {
        return Manifests.read(BASE, Deployment.class).getSpec().getTemplate().getSpec();
    }

    private static Container server() {
        return pod().getContainers().get(0);
    }

    private static RevisionSpec revision() {
        return Manifests.read(KNATIVE, Service.class).getSpec().getTemplate().getSpec();
    }

    private static Container knative() {
        return revision().getContainers().get(0);
    }

    private static Map<String, String> settings(String file) {
        return Manifests.read(Manifests.DIRECTORY.resolve(file), ConfigMap.class)
                .getData();
    }

    /** The defaults of the settings, by key. */
    private static SmallRyeConfig defaults() {
        return new SmallRyeConfigBuilder()
                .withMapping(QueenConfig.class)
                .withDefaultValue("user.home", "/home")
                .addDefaultInterceptors()
                .build();
    }

    @Test
    void gracePeriod_always_outlastsTheShutdown() {
        long shutdown = seconds("queen.shutdown.timeout", 20) + seconds("queen.shutdown.delay", 0);
        long before = server().getLifecycle().getPreStop().getSleep().getSeconds();
        assertThat(pod().getTerminationGracePeriodSeconds()).isGreaterThanOrEqualTo(before + shutdown + MARGIN_SECONDS);
    }

    private static long seconds(String key, long otherwise) {
        String value = defaults().getConfigValue(key).getValue();
        return value == null ? otherwise : Long.parseLong(value);
    }

    @Test
    void images_always_haveTheVersionOfTheProgram() throws IOException {
        Matcher version = Pattern.compile(
                        "<artifactId>queen</artifactId>\\s*<version>([0-9.]+)(?:-SNAPSHOT)?</version>")
                .matcher(Files.readString(Path.of("pom.xml")));
        assertThat(version.find()).isTrue();
        assertThat(List.of(server().getImage(), knative().getImage())).containsOnly("queen:" + version.group(1));
    }

    @Test
    void probes_always_askTheServersHealth() {
        assertThat(Stream.of(server().getStartupProbe(), server().getLivenessProbe(), server().getReadinessProbe())
                        .map(DeploymentTest::path))
                .containsExactly("/q/health/started", "/q/health/live", "/q/health/ready");
        assertThat(Stream.of(knative().getLivenessProbe(), knative().getReadinessProbe())
                        .map(DeploymentTest::path))
                .containsExactly("/q/health/live", "/q/health/ready");
    }

    private static String path(Probe probe) {
        return probe.getHttpGet().getPath();
    }

    @Test
    void containers_always_areRestricted() {
        assertThat(revision().getSecurityContext())
                .as("Knative refuses it, unless a feature flag allows it")
                .isNull();
        assertThat(isNotRoot(pod().getSecurityContext(), server())).isTrue();
        assertThat(isNotRoot(null, knative())).isTrue();
        for (Container container : List.of(server(), knative())) {
            assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                    .isTrue();
            assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                    .isFalse();
            assertThat(container.getSecurityContext().getCapabilities().getDrop())
                    .containsExactly("ALL");
            assertThat(container.getResources().getLimits()).containsKeys("cpu", "memory");
            assertThat(container.getResources().getRequests()).containsKeys("cpu", "memory");
        }
    }

    /** As the container says, else as its pod does. */
    private static boolean isNotRoot(PodSecurityContext pod, Container container) {
        Boolean own = container.getSecurityContext().getRunAsNonRoot();
        return own == null ? pod != null && Boolean.TRUE.equals(pod.getRunAsNonRoot()) : own;
    }

    /** A Service named queen-http would set a variable that is ours: {@code QUEEN_HTTP_PORT=tcp://…}. */
    @Test
    void pods_always_haveNoVariablesOfServices() {
        assertThat(pod().getEnableServiceLinks()).isFalse();
        assertThat(revision().getEnableServiceLinks()).isFalse();
    }

    /** A variable that the server does not know would be set for nothing. */
    @Test
    void variables_always_areKnownToTheServer() throws IOException {
        String table = Files.readString(Path.of("README.md"));
        Stream<String> named = Stream.of(server(), knative())
                .flatMap(container -> container.getEnv().stream())
                .map(variable -> variable.getName());
        Stream<String> mapped = Stream.of(
                        "settings/configmap.yaml",
                        "components/cloudnative-pg/configmap.yaml",
                        "components/pgbouncer/configmap.yaml")
                .flatMap(file -> settings(file).keySet().stream());
        assertThat(Stream.concat(named, mapped)).allMatch(name -> table.contains("| `" + name + "` |"));
    }

    /** Every server has a part of the connections, also when there are as many as there may be. */
    @Test
    void servers_atMost_areThoseTheConnectionsAreDividedBy() {
        int instances = Integer.parseInt(settings("settings/configmap.yaml").get("QUEEN_INSTANCES"));
        assertThat(Manifests.read(
                                Manifests.DIRECTORY.resolve("components/autoscaled/horizontalpodautoscaler.yaml"),
                                HorizontalPodAutoscaler.class)
                        .getSpec()
                        .getMaxReplicas())
                .isLessThanOrEqualTo(instances);
        assertThat(Manifests.read(KNATIVE, Service.class)
                        .getSpec()
                        .getTemplate()
                        .getMetadata()
                        .getAnnotations()
                        .get("autoscaling.knative.dev/max-scale"))
                .isEqualTo(Integer.toString(instances));
    }

    /** One to listen, one for the general pool, and one for each event loop. */
    @Test
    void connections_always_areEnoughForTheEventLoops() {
        Map<String, String> base = settings("settings/configmap.yaml");
        Map<String, String> pooled = settings("components/pgbouncer/configmap.yaml");
        int loops = Integer.parseInt(base.get("NUM_WORKERS"));
        for (Map<String, String> map : List.of(base, pooled)) {
            int part = Integer.parseInt(map.get("QUEEN_DATABASE_MAX_CONNECTIONS"))
                    / Integer.parseInt(map.get("QUEEN_INSTANCES"));
            assertThat(part).isGreaterThanOrEqualTo(loops + 2);
        }
    }

    @Test
    void knative_always_waitsLongerThanAPop() {
        long longest = Long.parseLong(
                        defaults().getConfigValue("queen.pop.max-timeout").getValue())
                / 1000;
        assertThat(revision().getTimeoutSeconds()).isGreaterThan(longest);
    }
}
