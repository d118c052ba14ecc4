package io.queen.config;

import io.quarkus.runtime.configuration.MemorySizeConverter;

/** A size as it stands in the configuration: {@code 512K}, {@code 64M}. */
public final class ByteSize {
    private ByteSize() {}

    public static long bytes(String size) {
        return new MemorySizeConverter().convert(size).asLongValue();
    }
}
