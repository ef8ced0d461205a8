package dev.penstock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.spi.format.NativeCodec;
import dev.penstock.testing.Arrows;
import java.io.IOException;
import java.lang.foreign.Linker;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// The rooms and the arrows between them, as docs/design/arrows.txt draws them.
class ArchitectureTest {
  private static final Arrows ARROWS = Arrows.of("dev.penstock");
  private static final JavaClasses CLASSES = ARROWS.classes();

  @Test
  void roomsFormNoCycles() {
    ARROWS.assertFormNoCycles();
  }

  @Test
  void arrowsAreThoseThatAreDrawn() throws IOException {
    ARROWS.assertAreThoseThatAreDrawn();
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
        .and()
        .doNotBelongToAnyOf(NativeCodec.class)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.xerial..", "org.brotli..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.penstock.internal.parquet.page", "dev.penstock.internal.text")
        .and()
        .doNotBelongToAnyOf(NativeCodec.class)
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
  void textsAreTheSameInAllLocales() {
    noClasses().should().callMethod(String.class, "toLowerCase").check(CLASSES);
    noClasses().should().callMethod(String.class, "toUpperCase").check(CLASSES);
    noClasses()
        .should()
        .callMethod(String.class, "format", String.class, Object[].class)
        .check(CLASSES);
    noClasses().should().callMethod(String.class, "formatted", Object[].class).check(CLASSES);
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
        .and()
        .doNotBelongToAnyOf(AdvisedIOException.class) // what our own exceptions extend
        .should()
        .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
        .check(CLASSES);
  }
}
