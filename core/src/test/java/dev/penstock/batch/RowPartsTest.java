package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowPartsTest {
  private record Hidden(int a, String b) {}

  record Failing(int a) {
    @Override
    public int a() {
      throw new UnsupportedOperationException("not yet");
    }
  }

  @TempDir Path folder;

  @Test
  void componentsOfAPrivateRecordOnTheClassPathAreRead() {
    Hidden row = new Hidden(1, "x");
    RowParts parts = RowParts.of(row);
    assertThat(parts).isNotNull();
    assertThat(parts.count()).isEqualTo(2);
    assertThat(parts.name(1)).isEqualTo("b");
    assertThat(parts.get(row, 1)).isEqualTo("x");
  }

  @Test
  void objectsOfOtherClassesHaveNoParts() {
    for (Object value : List.of(1, "x", List.of(1), new int[1], this)) {
      assertThat(RowParts.of(value)).isNull();
    }
  }

  @Test
  void failingAccessorIsNamed() {
    Failing row = new Failing(1);
    assertThatThrownBy(() -> Objects.requireNonNull(RowParts.of(row)).get(row, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot read 'a' of a row: its accessor failed.")
        .hasRootCauseMessage("not yet");
  }

  @Test
  void recordOfAModuleIsReadWhereItsPackageIsExportedOrOpened() throws Exception {
    for (String directive : List.of("exports com.acme;", "opens com.acme;")) {
      Object row = recordOfModule(directive).getConstructor(int.class).newInstance(7);
      assertThat(Objects.requireNonNull(RowParts.of(row)).get(row, 0)).isEqualTo(7);
    }
  }

  @Test
  void recordOfAClosedModuleNamesWhatToOpen() throws Exception {
    Class<?> type = recordOfModule("");
    getClass().getModule().addUses(Supplier.class);
    Object row =
        ServiceLoader.load(Objects.requireNonNull(type.getModule().getLayer()), Supplier.class)
            .findFirst()
            .orElseThrow()
            .get();
    assertThatThrownBy(() -> RowParts.of(row))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot read the components of record com.acme.Row: module acme does not open its"
                + " package. Add 'opens com.acme;' to its module-info.java, or write a Collator of"
                + " your own.");
  }

  /// Compiles a module with a public record and loads it.
  private Class<?> recordOfModule(String directive) throws Exception {
    Path source = Files.createTempDirectory(folder, "source");
    Path classes = Files.createTempDirectory(folder, "classes");
    Path record = Files.createDirectories(source.resolve("com/acme")).resolve("Row.java");
    Files.writeString(
        record,
        """
        package com.acme;
        public record Row(int a) {
          public static class Rows implements java.util.function.Supplier<Row> {
            public Row get() {
              return new Row(7);
            }
          }
        }
        """);
    Path info = source.resolve("module-info.java");
    Files.writeString(
        info,
        "module acme { "
            + directive
            + " provides java.util.function.Supplier with com.acme.Row.Rows; }");
    int failed =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(System.out, System.err, "-d", "" + classes, "" + record, "" + info);
    assertThat(failed).isZero();
    ModuleLayer own = ModuleLayer.boot();
    Configuration modules =
        own.configuration().resolve(ModuleFinder.of(classes), ModuleFinder.of(), Set.of("acme"));
    ClassLoader loader =
        own.defineModulesWithOneLoader(modules, getClass().getClassLoader()).findLoader("acme");
    return loader.loadClass("com.acme.Row");
  }
}
