package dev.penstock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.Field;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.Storage;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.example.Outsiders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Formats and stores with a mistake, or with a name of others, before all others on a class path
/// of their own.
class BrokenProvidersTest {
  private static final List<String> BROKEN =
      List.of(
          "org.example.Outsiders$Absent not found",
          "org.example.Outsiders$Unmade could not be instantiated:"
              + " java.lang.IllegalStateException: no licence",
          "org.example.Outsiders$Unlinked could not be instantiated:"
              + " java.lang.UnsatisfiedLinkError: no outsider in java.library.path",
          "org.example.Outsiders$Nameless: java.lang.IllegalArgumentException: name() must not be"
              + " null",
          "org.example.Outsiders$Unmarked: java.lang.IllegalArgumentException: magic() must not be"
              + " null");

  @TempDir Path folder;

  /// Says which columns a location has, or what is wrong; to be made by a class loader apart.
  public static final class Columns implements BinaryOperator<String> {
    /// Made by reflection.
    public Columns() {}

    /// Returns the columns.
    ///
    /// @param format the format; empty to recognise it
    @Override
    public String apply(String location, String format) {
      try {
        StructuredDataset dataset = new StructuredDataset(location);
        return (format.isEmpty() ? dataset : dataset.format(format))
            .schema().fields().stream().map(Field::name).toList().toString();
      } catch (RuntimeException e) {
        return Objects.requireNonNull(e.getMessage());
      }
    }
  }

  private void provide(Class<?> service, String... names) throws IOException {
    Path services = Files.createDirectories(folder.resolve("services/META-INF/services"));
    List<String> lines =
        List.of(names).stream().map(name -> Outsiders.class.getName() + "$" + name).toList();
    Files.write(services.resolve(service.getName()), lines);
  }

  private URL[] classPath() throws IOException {
    List<URL> path = new ArrayList<>(List.of(folder.resolve("services").toUri().toURL()));
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      path.add(Path.of(each).toUri().toURL());
    }
    return path.toArray(URL[]::new);
  }

  private interface Check {
    void with(BinaryOperator<String> columns) throws IOException;
  }

  private void apart(Check check) throws Exception {
    try (URLClassLoader apart =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      @SuppressWarnings("unchecked") // it implements that
      BinaryOperator<String> columns =
          (BinaryOperator<String>)
              apart.loadClass(Columns.class.getName()).getConstructor().newInstance();
      check.with(columns);
    }
  }

  @Test
  void brokenProvidersHarmOnlyThemselves() throws Exception {
    provide(FileFormat.class, "Absent", "Unmade", "Unlinked", "Nameless", "Unmarked", "Format");
    Path csv = Files.writeString(folder.resolve("a.csv"), "id,name\n1,x\n");
    Path unknown = Files.writeString(folder.resolve("a.unmade"), "one\n");
    Path orc = Files.writeString(folder.resolve("orc"), "ORC");
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      apart(columns -> {
        for (int time = 0; time < 2; time++) {
          assertThat(columns.apply(csv.toString(), "")).isEqualTo("[id, name]");
          assertThat(columns.apply(unknown.toString(), ""))
              .contains("formats here: [csv, json, jsonl, outsider, parquet])")
              .contains(BROKEN);
          assertThat(columns.apply(orc.toString(), ""))
              .startsWith("Cannot read '" + orc + "': ORC files need a module")
              .contains(BROKEN);
          assertThat(columns.apply(csv.toString(), "unmade")).contains(BROKEN);
        }
      });
    } finally {
      System.setErr(before);
    }
    List<String> warnings =
        log.toString(UTF_8).lines().filter(line -> line.contains("Left out a ")).toList();
    assertThat(warnings).hasSize(BROKEN.size());
    for (String each : BROKEN) {
      assertThat(warnings).filteredOn(line -> line.contains(each)).hasSize(1);
    }
  }

  @Test
  void twoFormatsOfANameAreAnErrorWhereItIsUsed() throws Exception {
    provide(FileFormat.class, "Second", "Alike");
    Path csv = Files.writeString(folder.resolve("a.csv"), "id,name\n1,x\n");
    Path lines = Files.writeString(folder.resolve("a.jsonl"), "{\"id\": 1}\n");
    Path json = Files.writeString(folder.resolve("a.json"), "[{\"id\": 1}]\n");
    apart(columns -> {
      for (String format : List.of("", "csv")) {
        assertThat(columns.apply(csv.toString(), format))
            .startsWith("Cannot use FileFormat 'csv': it is provided by ")
            .contains("dev.penstock.internal.csv.CsvFormat in file:")
            .contains("org.example.Outsiders$Second in file:");
      }
      assertThat(columns.apply(lines.toString(), "")).isEqualTo("[id]");
      assertThat(columns.apply(json.toString(), ""))
          .isEqualTo(
              "Cannot tell the format of '"
                  + json
                  + "': files of formats [json, alike] have such names. Choose one with format().");
      assertThat(columns.apply(json.toString(), "json")).isEqualTo("[id]");
    });
  }

  @Test
  void twoStoresOfASchemeAreAnErrorWhereItIsUsed() throws Exception {
    provide(Storage.class, "Disk");
    Path csv = Files.writeString(folder.resolve("a.csv"), "id,name\n1,x\n");
    apart(columns -> {
      assertThat(columns.apply(csv.toString(), ""))
          .startsWith("Cannot use Storage 'file': it is provided by ")
          .contains("org.example.Outsiders$Disk in file:");
      assertThat(columns.apply("disk://a", "")).startsWith("Cannot read 'disk://a': no store");
    });
  }
}
