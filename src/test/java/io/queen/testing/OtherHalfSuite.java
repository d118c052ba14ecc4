package io.queen.testing;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** All that {@link OneHalfSuite} does not have, among it the servers of other settings. */
@Suite
@SelectPackages("io.queen")
@IncludeClassNamePatterns(".*Test")
@ExcludeClassNamePatterns({OneHalfSuite.CLASSES, ".*ProcessTest"})
final class OtherHalfSuite {}
