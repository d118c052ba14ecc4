package io.queen.testing;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The HTTP tests that share one server, of the settings that servers of tests have if they do not ask for others, and so many
 * tests without a server that both halves take about as long.
 *
 * <p>The build runs the suites of this package side by side, each in a JVM with a PostgreSQL of its own. To hand single
 * classes to two JVMs would start a server for each class: Quarkus keeps one only for the classes that JUnit gets at once
 * (quarkusio/quarkus#43979).
 */
@Suite
@SelectPackages("io.queen")
@IncludeClassNamePatterns(OneHalfSuite.CLASSES)
@ExcludeClassNamePatterns(".*ProcessTest")
final class OneHalfSuite {
    static final String CLASSES =
            "io\\.queen\\.(ack|admin|bench|embedded|fuzz|history|image|k8s|metrics|pause|pop|push|series|transaction)\\..*Test";
}
