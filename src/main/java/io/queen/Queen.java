package io.queen;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The program. */
@QuarkusMain
public final class Queen {
    private Queen() {}

    public static void main(String... args) {
        Quarkus.run(args);
    }
}
