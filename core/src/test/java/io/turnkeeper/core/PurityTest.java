package io.turnkeeper.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.turnkeeper.core",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
  @ArchTest
  static final ArchRule coreDependsOnNothing =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.turnkeeper.core..", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule coreReadsNoClockAndNoChance =
      noClasses()
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Instant")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Clock")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.Random")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.util.UUID");

  @ArchTest
  static final ArchRule coreDoesNoInputOrOutput =
      noClasses().should().dependOnClassesThat().resideInAnyPackage("java.io..", "java.nio.file..");
}
