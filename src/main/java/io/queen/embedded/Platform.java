package io.queen.embedded;

import java.util.Locale;

/** The name of the archive for an operating system and a processor. */
final class Platform {
    private Platform() {}

    static String archive(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        boolean arm = osArch.equals("aarch64") || osArch.equals("arm64");
        return "postgres-" + os + "-" + (arm ? "arm_64" : "x86_64") + ".txz";
    }
}
