package io.queen.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretEnvSource;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import io.queen.config.QueenConfig;
import io.queen.database.ConnectionBudget;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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

    /** Servers beyond those there should be, while an update runs: one that came, and one that is still going. */
    private static final int IN_AN_UPDATE = 2;

    private static final String SETTINGS = "settings/configmap.yaml";
    private static final String CLOUDNATIVE_PG = "components/cloudnative-pg/configmap.yaml";
    private static final String DEV = "overlays/dev/configmap.yaml";
    private static final String PGBOUNCER = "components/pgbouncer/configmap.yaml";
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

    /** What a server makes of the variables in these files, the later over the earlier. */
    private static QueenConfig config(String... files) {
        Map<String, String> variables = new HashMap<>();
        for (String file : files) {
            variables.putAll(settings(file));
        }
        return new SmallRyeConfigBuilder()
                .withMapping(QueenConfig.class)
                .withDefaultValue("user.home", "/home")
                .addDefaultInterceptors()
                .withSources(new EnvConfigSource(variables, 300))
                .build()
                .getConfigMapping(QueenConfig.class);
    }

    @Test
    void gracePeriod_always_outlastsTheShutdown() {
        QueenConfig.Shutdown shutdown = config(SETTINGS).shutdown();
        assertThat(pod().getTerminationGracePeriodSeconds())
                .isGreaterThanOrEqualTo(secondsBeforeStop() + shutdown.delay() + shutdown.timeout() + MARGIN_SECONDS);
    }

    private static long secondsBeforeStop() {
        return server().getLifecycle().getPreStop().getSleep().getSeconds();
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

    /** A server without the Secret does not start, rather than to serve everyone. */
    @Test
    void tokens_always_areOnButForTryingThingsOut() {
        assertThat(config(SETTINGS, CLOUDNATIVE_PG, PGBOUNCER).jwt().enabled()).isTrue();
        assertThat(config(SETTINGS, DEV).jwt().enabled()).isFalse();
        for (Container container : List.of(server(), knative())) {
            SecretEnvSource tokens = container.getEnvFrom().get(1).getSecretRef();
            assertThat(tokens.getName()).isEqualTo("queen-tokens");
            assertThat(tokens.getOptional()).isNull();
        }
    }

    /** The operator's certificates are for the name of the primary, and not for that of PgBouncer. */
    @Test
    void certificates_ofTheOperator_areVerified() {
        QueenConfig.Database database = config(SETTINGS, CLOUDNATIVE_PG).database();
        assertThat(database.ssl() && database.sslRejectUnauthorized()).isTrue();
        Path patch = Manifests.DIRECTORY.resolve("components/cloudnative-pg/deployment.yaml");
        PodSpec patched =
                Manifests.read(patch, Deployment.class).getSpec().getTemplate().getSpec();
        assertThat(database.sslRootCert())
                .contains(
                        patched.getContainers().get(0).getVolumeMounts().get(0).getMountPath() + "/"
                                + patched.getVolumes()
                                        .get(0)
                                        .getSecret()
                                        .getItems()
                                        .get(0)
                                        .getPath());
        assertThat(config(SETTINGS, CLOUDNATIVE_PG, PGBOUNCER).database().sslRejectUnauthorized())
                .isFalse();
    }

    /** Its port is that of the servers. */
    @Test
    void networkPolicy_always_isForTheServers() {
        NetworkPolicySpec policy = Manifests.read(
                        Manifests.DIRECTORY.resolve("base/networkpolicy.yaml"), NetworkPolicy.class)
                .getSpec();
        Map<String, String> labels = Manifests.read(BASE, Deployment.class)
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getLabels();
        assertThat(policy.getPodSelector().getMatchLabels()).isEqualTo(labels);
        assertThat(policy.getIngress().get(0).getPorts().get(0).getPort().getStrVal())
                .isEqualTo(server().getPorts().get(0).getName());
    }

    /** A variable that the server does not know would be set for nothing. */
    @Test
    void variables_always_areKnownToTheServer() throws IOException {
        String table = Files.readString(Path.of("docs/configuration.md"));
        Stream<String> named = Stream.of(server(), knative())
                .flatMap(container -> container.getEnv().stream())
                .map(variable -> variable.getName());
        Stream<String> mapped =
                Stream.of(SETTINGS, CLOUDNATIVE_PG, PGBOUNCER, DEV).flatMap(file -> settings(file).keySet().stream());
        assertThat(Stream.concat(named, mapped)).allMatch(name -> table.contains("| `" + name + "` |"));
    }

    /** Every server has a part of the connections, during an update too, when there are more than at any other time. */
    @Test
    void servers_atMost_areThoseTheConnectionsAreDividedBy() {
        assertThat(config(SETTINGS).instances())
                .isGreaterThanOrEqualTo(mostServers("components/autoscaled") + IN_AN_UPDATE);
        assertThat(config(SETTINGS, CLOUDNATIVE_PG, PGBOUNCER).instances())
                .isGreaterThanOrEqualTo(mostServers("overlays/pgbouncer") + IN_AN_UPDATE);
        // A revision that comes and one that goes, each with as many.
        int ofARevision = Integer.parseInt(Manifests.read(KNATIVE, Service.class)
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getAnnotations()
                .get("autoscaling.knative.dev/max-scale"));
        assertThat(config(SETTINGS).instances()).isGreaterThanOrEqualTo(2 * ofARevision + IN_AN_UPDATE);
    }

    private static int mostServers(String directory) {
        Path file = Manifests.DIRECTORY.resolve(directory).resolve("horizontalpodautoscaler.yaml");
        return Manifests.read(file, HorizontalPodAutoscaler.class).getSpec().getMaxReplicas();
    }

    @Test
    void update_always_goesServerByServer() {
        DeploymentSpec deployment = Manifests.read(BASE, Deployment.class).getSpec();
        assertThat(deployment.getStrategy().getRollingUpdate().getMaxSurge().getIntVal())
                .isEqualTo(1);
        assertThat(deployment.getMinReadySeconds().longValue()).isGreaterThan(secondsBeforeStop());
    }

    /** With fewer the server refuses to start. */
    @Test
    void connections_always_areEnoughForTheEventLoops() {
        for (QueenConfig config : List.of(
                config(SETTINGS), config(SETTINGS, CLOUDNATIVE_PG), config(SETTINGS, CLOUDNATIVE_PG, PGBOUNCER))) {
            int loops = config.http().workers().orElseThrow();
            assertThatCode(() -> ConnectionBudget.of(config).requireFor(loops)).doesNotThrowAnyException();
        }
    }

    /** The benchmarks tell what was measured, with the heap that the JVM image takes of this limit. */
    @Test
    void memory_always_isWhatTheJvmImageWasMeasuredWith() throws IOException {
        Matcher measured = Pattern.compile("a heap of (\\d+) MB throughout, at most (\\d+) MB resident")
                .matcher(Files.readString(Path.of("docs/benchmarks.md")));
        assertThat(measured.find()).isTrue();
        Matcher half = Pattern.compile("MaxRAMPercentage=50\\b")
                .matcher(Files.readString(Path.of("native/Containerfile.jvm")));
        assertThat(half.find()).isTrue();
        for (Container container : List.of(server(), knative())) {
            BigDecimal limit = bytes(container.getResources().getLimits());
            assertThat(limit.longValue() / 2).as("the heap").isEqualTo(Long.parseLong(measured.group(1)) << 20);
            assertThat(bytes(container.getResources().getRequests()))
                    .isBetween(new BigDecimal(measured.group(2)).scaleByPowerOfTen(6), limit);
        }
    }

    private static BigDecimal bytes(Map<String, Quantity> resources) {
        return Quantity.getAmountInBytes(resources.get("memory"));
    }

    @Test
    void knative_always_waitsLongerThanAPop() {
        assertThat(revision().getTimeoutSeconds())
                .isGreaterThan(config(SETTINGS).pop().maxTimeout() / 1000);
    }
}
