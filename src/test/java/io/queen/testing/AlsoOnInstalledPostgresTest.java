package io.queen.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.platform.suite.api.SelectPackages;

class AlsoOnInstalledPostgresTest {
    @Test
    void classes_marked_areInThePackagesOfTheSuite() {
        classes()
                .that()
                .areAnnotatedWith(AlsoOnInstalledPostgres.class)
                .should()
                .resideInAnyPackage(InstalledPostgresSuite.class
                        .getAnnotation(SelectPackages.class)
                        .value())
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.OnlyIncludeTests())
                        .importPackages("io.queen"));
    }
}
