package io.queen.k8s;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Map;

/** Of the types of KEDA (keda.sh/v1alpha1) what our manifests use; see {@link CloudNativePg} for why and how far. */
final class Keda {
    private Keda() {}

    record ScaledObject(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
        record Spec(
                Target scaleTargetRef,
                Integer minReplicaCount,
                Integer maxReplicaCount,
                Integer pollingInterval,
                Integer cooldownPeriod,
                Fallback fallback,
                List<Trigger> triggers) {}

        record Target(String name) {}

        record Fallback(Integer failureThreshold, Integer replicas) {}

        record Trigger(String type, Map<String, String> metadata, AuthenticationRef authenticationRef) {}

        record AuthenticationRef(String name) {}
    }

    record TriggerAuthentication(String apiVersion, String kind, ObjectMeta metadata, TriggerAuthenticationSpec spec) {
        record TriggerAuthenticationSpec(List<SecretTarget> secretTargetRef) {}

        record SecretTarget(String parameter, String name, String key) {}
    }
}
