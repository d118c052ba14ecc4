package io.queen.k8s;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;

/**
 * Of the types of CloudNativePG (postgresql.cnpg.io/v1) what our manifests use, written down from its API reference: no
 * Maven repository has them. They find a misspelt field, which the CRD's schema lets pass, and a wrong kind of value;
 * what must be there and which values are allowed says the schema, by {@code k8s/check}.
 */
final class CloudNativePg {
    private CloudNativePg() {}

    record Cluster(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
        record Spec(
                Integer instances,
                String imageName,
                Bootstrap bootstrap,
                Storage storage,
                Storage walStorage,
                Postgresql postgresql,
                ResourceRequirements resources,
                Affinity affinity,
                Monitoring monitoring) {}

        record Bootstrap(InitDb initdb) {}

        record InitDb(String database, String owner, List<String> postInitSQL) {}

        record Storage(String size) {}

        record Postgresql(Synchronous synchronous, Map<String, String> parameters) {}

        record Synchronous(String method, Integer number, String dataDurability) {}

        record Affinity(Boolean enablePodAntiAffinity, String podAntiAffinityType, String topologyKey) {}

        record Monitoring(Boolean enablePodMonitor) {}
    }

    record Pooler(String apiVersion, String kind, ObjectMeta metadata, PoolerSpec spec) {
        record PoolerSpec(Reference cluster, Integer instances, String type, PgBouncer pgbouncer) {}

        record Reference(String name) {}

        record PgBouncer(String poolMode, Map<String, String> parameters) {}
    }
}
