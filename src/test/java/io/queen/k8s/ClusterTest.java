package io.queen.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The PostgreSQL by CloudNativePG keeps what k8s/README.md promises: a message on two machines, a primary that runs. */
class ClusterTest {
    private static CloudNativePg.Cluster.Spec cluster() {
        return Manifests.read(
                        Manifests.DIRECTORY.resolve("components/cloudnative-pg/cluster.yaml"),
                        CloudNativePg.Cluster.class)
                .spec();
    }

    /** Preferred, as it is by default, two could share a machine. */
    @Test
    void commits_always_areOnTwoMachines() {
        assertThat(cluster().postgresql().synchronous())
                .isEqualTo(new CloudNativePg.Cluster.Synchronous("any", 1, "required"));
        assertThat(cluster().affinity())
                .isEqualTo(new CloudNativePg.Cluster.Affinity(true, "required", "kubernetes.io/hostname"));
    }

    /** What slots keep, and what is written until a checkpoint looks again. */
    @Test
    void wal_standbyAway_fitsItsVolume() {
        Map<String, String> parameters = cluster().postgresql().parameters();
        assertThat(parameters).containsKey("max_slot_wal_keep_size");
        assertThat(gibibytes(parameters.get("max_slot_wal_keep_size")) + gibibytes(parameters.get("max_wal_size")) / 2)
                .isLessThan(gibibytes(cluster().walStorage().size()));
    }

    private static int gibibytes(String size) {
        assertThat(size).matches("[0-9]+(GB|Gi)");
        return Integer.parseInt(size.substring(0, size.length() - 2));
    }
}
