package dev.penstock.blackbox;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.penstock.blackbox")
class ExportedApiTest {
  @ArchTest
  static final ArchRule theseTestsSeeOnlyExportedPackages =
      noClasses().should().dependOnClassesThat().resideInAPackage("dev.penstock.internal..");
}
