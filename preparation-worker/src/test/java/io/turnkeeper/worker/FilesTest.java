package io.turnkeeper.worker;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** Whatever touches the files of a table or a log goes through their storage. */
@AnalyzeClasses(
    packages = {"io.turnkeeper.worker", "io.turnkeeper.events"},
    importOptions = ImportOption.DoNotIncludeTests.class)
class FilesTest {
  /** One staging works by links, and a table's one spelling is a matter of links, too. */
  private static final Set<String> LOCAL = Set.of("LinkedStaging", "TablePath");

  private static final DescribedPredicate<JavaClass> ONLY_ON_A_FILE_SYSTEM =
      describe("are for file systems only", type -> LOCAL.contains(outermost(type)));

  private static final DescribedPredicate<JavaClass> FILE_ACCESS =
      describe(
          "open, list or change files",
          type ->
              type.getName().startsWith("java.io.File")
                  || type.getName().startsWith("java.io.RandomAccessFile")
                  || type.isEquivalentTo(java.nio.file.Files.class)
                  || type.isEquivalentTo(java.nio.channels.FileChannel.class));

  @ArchTest
  static final ArchRule filesOfTablesAndLogsAreTouchedByTheirStorageOnly =
      noClasses()
          .that(
              resideInAnyPackage(
                      "io.turnkeeper.events.wal..",
                      "io.turnkeeper.worker.fence..",
                      "io.turnkeeper.worker.wal..",
                      "io.turnkeeper.worker.work..")
                  .and(DescribedPredicate.not(ONLY_ON_A_FILE_SYSTEM)))
          .should()
          .dependOnClassesThat(FILE_ACCESS);

  private static String outermost(JavaClass type) {
    return type.getEnclosingClass().map(FilesTest::outermost).orElse(type.getSimpleName());
  }
}
