package io.queen.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The class is run twice by every build: on the embedded PostgreSQL, and on the one that is installed on this machine, with
 * its packaged version and settings.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("installed-postgres")
@ExtendWith(InstalledPostgresCondition.class)
public @interface AlsoOnInstalledPostgres {}
