package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands on two files of the bundled flights in `key=value` folders.
class PartitionsCommandTest {
  @TempDir Path path;

  @BeforeEach
  void makeFolders() throws IOException {
    try (Stream<Path> files = Files.list(HeldOutFlights.FOLDER)) {
      List<Path> parts = files.sorted().toList();
      for (int i = 0; i < 2; i++) {
        String kind = i == 0 ? "kind=a%20b" : "kind=__HIVE_DEFAULT_PARTITION__";
        Path folder = Files.createDirectories(path.resolve("year=200" + i).resolve(kind));
        Files.copy(parts.get(i), folder.resolve("part.parquet"));
      }
    }
  }

  private CommandRun run(String... args) {
    String[] all = java.util.Arrays.copyOf(args, args.length + 3);
    all[args.length] = path.toString();
    all[args.length + 1] = "--partitioning";
    all[args.length + 2] = "hive";
    return CommandRun.of(all);
  }

  @Test
  void schemaNamesThem() {
    CommandRun run = run("schema");
    assertThat(run.status()).isZero();
    assertThat(run.lines())
        .anyMatch(line -> line.matches("year +int64 +no"))
        .anyMatch(line -> line.matches("kind +string +yes"));
    assertThat(run.out()).endsWith("\npartitioned by year, kind\n");
    assertThat(run("schema", "--json").out())
        .endsWith(
            "{\"name\":\"year\",\"type\":\"int64\",\"nullable\":false,\"partition\":true},"
                + "{\"name\":\"kind\",\"type\":\"string\",\"nullable\":true,\"partition\":true}]}\n");
  }

  @Test
  void foldersAreJustFoldersByDefault() {
    assertThat(CommandRun.of("schema", path.toString()).out()).doesNotContain("year");
  }

  @Test
  void planCountsThem() {
    CommandRun run = run("plan");
    assertThat(run.status()).isZero();
    assertThat(run.lines())
        .anyMatch(line -> line.matches("year=2000, kind=a b +1 +37,500"))
        .anyMatch(line -> line.matches("year=2001, kind=null +1 +37,500"));
    assertThat(run("plan", "--json").out())
        .contains("\"partition\":{\"year\":\"2000\",\"kind\":\"a b\"}}")
        .contains("\"partition\":{\"year\":\"2001\",\"kind\":null}}");
  }

  @Test
  void rowsHaveThem() {
    CommandRun run = run("cat", "--columns", "kind,year");
    assertThat(run.status()).isZero();
    assertThat(run.lines()).hasSize(75_000);
    assertThat(run.lines().getFirst()).isEqualTo("{\"kind\":\"a b\",\"year\":2000}");
    assertThat(run.lines().getLast()).isEqualTo("{\"kind\":null,\"year\":2001}");
  }

  @Test
  void anyOtherPartitioningIsWrongUsage() {
    CommandRun run = CommandRun.of("schema", path.toString(), "--partitioning", "date");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("Cannot use --partitioning 'date': expected hive.");
  }
}
