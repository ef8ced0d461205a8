package dev.penstock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.foreign.Linker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The rooms and the arrows between them, as ARCHITECTURE.md draws them.
class ArchitectureTest {
  private static final String FRONT_DOOR = "dev.penstock";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.penstock");

  @Test
  void roomsFormNoCycles() {
    slices().matching("dev.penstock.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /// A line of ARCHITECTURE.md such as `dev.penstock.data -> batch, sample`.
  private static final Pattern ARROWS = Pattern.compile("(?m)^(dev\\.penstock[\\w.]*) +-> (.+)$");

  @Test
  void arrowsAreThoseThatAreDrawn() throws IOException {
    String text = Files.readString(Path.of("../ARCHITECTURE.md"));
    Map<String, Set<String>> drawn = new TreeMap<>();
    Matcher line = ARROWS.matcher(text);
    while (line.find()) {
      Set<String> used = new TreeSet<>();
      for (String room : line.group(2).split(", ", -1)) {
        used.add(room.equals(FRONT_DOOR) ? room : FRONT_DOOR + "." + room);
      }
      drawn.put(line.group(1), used);
    }
    Map<String, Set<String>> actual = new TreeMap<>();
    for (JavaClass from : CLASSES) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if (to.startsWith(FRONT_DOOR) && !to.equals(from.getPackageName())) {
          actual.computeIfAbsent(from.getPackageName(), _ -> new TreeSet<>()).add(to);
        }
      }
    }
    assertThat(actual).isEqualTo(drawn);
  }

  @Test
  void onlyWorkersFetchesAndWhatCopiesToGpusStartThreads() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.penstock.internal.workers", "dev.penstock.internal.fetch", "dev.penstock.device")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Thread.Builder.class, ExecutorService.class, Executors.class)
        .check(CLASSES);
  }

  @Test
  void onlyTheParquetRoomsKnowThriftAndCodecs() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.penstock.internal.parquet..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.parquet..", "shaded.parquet..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.penstock.internal.parquet.page")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.xerial..", "org.brotli..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.penstock.internal.parquet.page", "dev.penstock.internal.text")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.github.luben..")
        .check(CLASSES);
  }

  @Test
  void onlyTheCudaRoomKnowsTheDriver() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.penstock.internal.cuda", "dev.penstock.internal.memory", "dev.penstock.dlpack")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Linker.class)
        .check(CLASSES);
  }

  @Test
  void onlyTheClockRoomKnowsTheFlightRecorder() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.penstock.internal.clock")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.jfr..")
        .check(CLASSES);
  }

  @Test
  void libraryPrintsNothing() {
    noClasses().should().accessField(System.class, "out").check(CLASSES);
    noClasses().should().accessField(System.class, "err").check(CLASSES);
  }

  @Test
  void exportedTypesAreFinalOrInterfaces() {
    classes()
        .that()
        .arePublic()
        .and()
        .resideOutsideOfPackage("dev.penstock.internal..")
        .and()
        .areNotInterfaces()
        .and()
        .areNotEnums()
        .should()
        .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
        .check(CLASSES);
  }
}
