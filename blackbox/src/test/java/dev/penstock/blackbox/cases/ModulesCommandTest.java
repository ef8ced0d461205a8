package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.blackbox.files.ArrowFiles;
import dev.penstock.blackbox.files.AvroFiles;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.OrcFiles;
import dev.penstock.blackbox.files.TableWriter;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.cli.Main;
import dev.penstock.tck.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The command on files of the formats that are modules: it has them all.
class ModulesCommandTest {
  @TempDir Path folder;

  private static Stream<TableWriter> formats() {
    return Stream.of(new OrcFiles(), new AvroFiles(), new ArrowFiles());
  }

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private List<String> run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    err.reset();
    int status = Main.run(args, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(status).as("%s", err).isZero();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @ParameterizedTest
  @MethodSource("formats")
  void memoryThatIsFullIsToldWithTheFile(TableWriter writer) throws IOException {
    Table table = Tables.counting(new int[] {40});
    writer.write(folder, table, new Random(1));
    FaultStorage.Site site = FaultStorage.over(folder);
    AtomicInteger reads = new AtomicInteger();
    site.onRead(_ -> reads.incrementAndGet());
    run("cat", site.location().toString());
    for (int allowed = reads.getAndSet(0) - 1; allowed >= 0; allowed--) {
      int left = allowed;
      site.onRead(_ -> {
        if (reads.incrementAndGet() > left) {
          throw new OutOfMemoryError("Java heap space");
        }
      });
      assertThatThrownBy(() -> run("cat", site.location().toString()))
          .hasMessageContaining("Out of memory (")
          .hasMessageContaining(table.files().getFirst().name() + writer.extension())
          .hasMessageContaining("Java heap space");
      reads.set(0);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void everyCommandReadsTheFiles(TableWriter writer) throws IOException {
    Table table = Tables.counting(new int[] {40, 20}, new int[] {30});
    String path = writer.write(folder, table, new Random(1)).toString();
    List<String> rows = IntStream.range(0, 90).mapToObj(id -> "{\"id\":" + id + "}").toList();

    assertThat(run("schema", path)).anyMatch(line -> line.matches("id +int64 +(yes|no).*"));
    assertThat(run("cat", path)).isEqualTo(rows);
    assertThat(run("head", path, "-n", "3").stream().skip(3).map(String::strip))
        .containsExactly("0", "1", "2");
    assertThat(run("cat", path, "--where", "id >= 88")).isEqualTo(rows.subList(88, 90));
    assertThat(String.join("\n", run("plan", path, "--json"))).contains("\"rows\":90");
    assertThat(String.join("\n", run("load", path, "--json", "--batch-size", "7")))
        .contains("\"rows\":90");
  }
}
