package io.queen.testing;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The packages whose HTTP tests share one server, of the settings that all servers of tests have.
 *
 * <p>The build runs the suites of this package side by side, each in a JVM with a PostgreSQL of its own. To hand single
 * classes to two JVMs would start a server for each class: Quarkus keeps one only for the classes that JUnit gets at once.
 */
@Suite
@SelectPackages("io.queen")
@IncludeClassNamePatterns(RoutesSuite.CLASSES)
@ExcludeClassNamePatterns(".*ProcessTest")
final class RoutesSuite {
    static final String CLASSES =
            "io\\.queen\\.(ack|admin|bench|fuzz|metrics|pause|pop|push|series|transaction)\\..*Test";
}
