package io.queen.testing;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** All that {@link RoutesSuite} does not have: tests without a server, and servers of unusual settings. */
@Suite
@SelectPackages("io.queen")
@IncludeClassNamePatterns(".*Test")
@ExcludeClassNamePatterns({RoutesSuite.CLASSES, ".*ProcessTest"})
final class OtherPackagesSuite {}
