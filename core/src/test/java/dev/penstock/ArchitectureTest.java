package dev.penstock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.foreign.Linker;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// The rooms and the arrows between them, as ARCHITECTURE.md draws them.
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.penstock");

  @Test
  void roomsFormNoCycles() {
    slices().matching("dev.penstock.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void arrowsPointAsDrawn() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("front door")
        .definedBy("dev.penstock")
        .layer("pipeline")
        .definedBy("dev.penstock.internal.pipeline")
        .layer("plan")
        .definedBy("dev.penstock.internal.plan")
        .layer("catalog")
        .definedBy("dev.penstock.catalog")
        .layer("transform")
        .definedBy("dev.penstock.transform")
        .layer("slices")
        .definedBy("dev.penstock.internal.slices")
        .layer("row filter")
        .definedBy("dev.penstock.internal.filter")
        .layer("memory")
        .definedBy("dev.penstock.internal.memory")
        .layer("hash")
        .definedBy("dev.penstock.internal.hash")
        .layer("lz4")
        .definedBy("dev.penstock.internal.lz4")
        .layer("number")
        .definedBy("dev.penstock.internal.number")
        .layer("choice")
        .definedBy("dev.penstock.internal.choice")
        .layer("document")
        .definedBy("dev.penstock.internal.document")
        .layer("json")
        .definedBy("dev.penstock.internal.json")
        .layer("clock")
        .definedBy("dev.penstock.internal.clock")
        .layer("parquet")
        .definedBy("dev.penstock.internal.parquet")
        .layer("text")
        .definedBy("dev.penstock.internal.text")
        .layer("csv")
        .definedBy("dev.penstock.internal.csv")
        .layer("local")
        .definedBy("dev.penstock.internal.local")
        .layer("http")
        .definedBy("dev.penstock.internal.http")
        .layer("data")
        .definedBy("dev.penstock.data")
        .layer("sample")
        .definedBy("dev.penstock.sample")
        .layer("batch")
        .definedBy("dev.penstock.batch")
        .layer("dlpack")
        .definedBy("dev.penstock.dlpack")
        .layer("device")
        .definedBy("dev.penstock.device")
        .layer("cuda")
        .definedBy("dev.penstock.internal.cuda")
        .layer("split")
        .definedBy("dev.penstock.split")
        .layer("filter")
        .definedBy("dev.penstock.filter")
        .layer("format")
        .definedBy("dev.penstock.format")
        .layer("schema")
        .definedBy("dev.penstock.schema")
        .layer("storage")
        .definedBy("dev.penstock.storage")
        .layer("stats")
        .definedBy("dev.penstock.stats")
        .whereLayer("front door")
        .mayOnlyBeAccessedByLayers("device")
        .whereLayer("device")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("cuda")
        .mayOnlyBeAccessedByLayers("front door", "device")
        .whereLayer("pipeline")
        .mayOnlyBeAccessedByLayers("front door")
        .whereLayer("plan")
        .mayOnlyBeAccessedByLayers("front door", "pipeline", "slices", "catalog")
        .whereLayer("catalog")
        .mayOnlyBeAccessedByLayers("front door")
        .whereLayer("transform")
        .mayOnlyBeAccessedByLayers("front door", "pipeline")
        .whereLayer("slices")
        .mayOnlyBeAccessedByLayers("pipeline", "transform")
        .whereLayer("row filter")
        .mayOnlyBeAccessedByLayers("front door", "pipeline", "plan", "slices")
        .whereLayer("memory")
        .mayOnlyBeAccessedByLayers(
            "front door", "pipeline", "slices", "parquet", "text", "csv", "json", "cuda", "lz4")
        .whereLayer("hash")
        .mayOnlyBeAccessedByLayers("front door", "pipeline", "transform", "parquet", "text")
        .whereLayer("lz4")
        .mayOnlyBeAccessedByLayers("parquet", "text")
        .whereLayer("number")
        .mayOnlyBeAccessedByLayers("pipeline", "plan", "slices", "row filter", "text")
        .whereLayer("choice")
        .mayOnlyBeAccessedByLayers("pipeline", "plan", "transform", "row filter", "text", "batch")
        .whereLayer("clock")
        .mayOnlyBeAccessedByLayers("pipeline", "slices", "parquet")
        .whereLayer("stats")
        .mayOnlyBeAccessedByLayers("front door", "pipeline", "slices", "parquet", "clock")
        .whereLayer("document")
        .mayOnlyBeAccessedByLayers("front door", "transform")
        .whereLayer("json")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("parquet")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("text")
        .mayOnlyBeAccessedByLayers("csv", "json")
        .whereLayer("csv")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("local")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("http")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("data")
        .mayOnlyBeAccessedByLayers("front door", "pipeline")
        .whereLayer("sample")
        .mayOnlyBeAccessedByLayers("front door", "pipeline", "data")
        .whereLayer("batch")
        .mayOnlyBeAccessedByLayers("front door", "pipeline", "data", "dlpack", "device")
        .whereLayer("dlpack")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("split")
        .mayOnlyBeAccessedByLayers(
            "front door", "pipeline", "plan", "catalog", "slices", "row filter")
        .whereLayer("filter")
        .mayOnlyBeAccessedByLayers("front door", "pipeline", "plan", "catalog", "row filter")
        .whereLayer("format")
        .mayOnlyBeAccessedByLayers(
            "front door",
            "pipeline",
            "plan",
            "catalog",
            "transform",
            "slices",
            "row filter",
            "memory",
            "parquet",
            "text",
            "csv",
            "json",
            "batch",
            "split")
        .whereLayer("schema")
        .mayOnlyBeAccessedByLayers(
            "front door",
            "pipeline",
            "plan",
            "catalog",
            "transform",
            "slices",
            "row filter",
            "parquet",
            "text",
            "csv",
            "json",
            "batch",
            "format")
        .whereLayer("storage")
        .mayOnlyBeAccessedByLayers(
            "front door",
            "pipeline",
            "plan",
            "catalog",
            "slices",
            "parquet",
            "text",
            "csv",
            "json",
            "local",
            "http",
            "split",
            "format")
        .check(CLASSES);
  }

  @Test
  void onlyThePipelineStartsThreadsAndWhatCopiesToGpus() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.penstock.internal.pipeline", "dev.penstock.device")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Thread.Builder.class, ExecutorService.class, Executors.class)
        .check(CLASSES);
  }

  @Test
  void onlyTheParquetRoomKnowsThriftAndCodecs() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.penstock.internal.parquet")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.parquet..", "shaded.parquet..", "org.xerial..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.penstock.internal.parquet", "dev.penstock.internal.text")
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
