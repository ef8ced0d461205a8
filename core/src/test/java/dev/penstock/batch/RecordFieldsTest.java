package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordFieldsTest {
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
    RecordFields fields = RecordFields.of(Hidden.class);
    assertThat(fields.count()).isEqualTo(2);
    assertThat(fields.name(1)).isEqualTo("b");
    assertThat(fields.get(new Hidden(1, "x"), 1)).isEqualTo("x");
  }

  @Test
  void failingAccessorIsNamed() {
    assertThatThrownBy(() -> RecordFields.of(Failing.class).get(new Failing(1), 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot read component 'a' of a record: its accessor failed.")
        .hasRootCauseMessage("not yet");
  }

  @Test
  void recordOfAModuleIsReadWhereItsPackageIsExportedOrOpened() throws Exception {
    for (String directive : List.of("exports com.acme;", "opens com.acme;")) {
      Class<?> type = recordOfModule(directive);
      Object row = type.getConstructor(int.class).newInstance(7);
      assertThat(RecordFields.of(type).get(row, 0)).isEqualTo(7);
    }
  }

  @Test
  void recordOfAClosedModuleNamesWhatToOpen() throws Exception {
    Class<?> type = recordOfModule("");
    assertThatThrownBy(() -> RecordFields.of(type))
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
    Files.writeString(record, "package com.acme; public record Row(int a) {}");
    Path info = source.resolve("module-info.java");
    Files.writeString(info, "module acme { " + directive + " }");
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
