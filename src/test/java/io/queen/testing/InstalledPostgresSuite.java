package io.queen.testing;

import org.junit.platform.suite.api.BeforeSuite;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * What is marked by {@link AlsoOnInstalledPostgres} once more, on the PostgreSQL that is installed on this machine. Only
 * packages that have such classes, because Quarkus builds a server for every class it sees; {@link
 * AlsoOnInstalledPostgresTest} says so when one is missing. Without any test the suite fails.
 */
@Suite
@SelectPackages({"io.queen.cost", "io.queen.database", "io.queen.embedded", "io.queen.sql"})
@IncludeClassNamePatterns(".*Test")
@ExcludeClassNamePatterns(".*ProcessTest")
@IncludeTags("installed-postgres")
final class InstalledPostgresSuite {
    @BeforeSuite
    static void useIt() {
        System.setProperty("test.postgres.installed", "true");
    }
}
