package io.queen.k8s;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Of a Kustomization (kustomize.config.k8s.io/v1beta1) and a Component (v1alpha1) what ours use: nothing else is
 * understood, so nothing else passes.
 */
record Kustomization(
        String apiVersion,
        String kind,
        List<String> resources,
        List<String> components,
        List<Patch> patches,
        List<Generated> configMapGenerator) {

    Kustomization {
        resources = Objects.requireNonNullElse(resources, List.of());
        components = Objects.requireNonNullElse(components, List.of());
        patches = Objects.requireNonNullElse(patches, List.of());
        configMapGenerator = Objects.requireNonNullElse(configMapGenerator, List.of());
    }

    /** A strategic merge. */
    record Patch(String path) {}

    record Generated(String name, List<String> files, Options options) {}

    record Options(Boolean disableNameSuffixHash, Map<String, String> labels) {}
}
