package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands on an Iceberg table: a half of the held-out flights, then the other one, too.
class TableCommandTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "date", Types.TimestampType.withoutZone()),
          Types.NestedField.optional(2, "delay", Types.LongType.get()),
          Types.NestedField.optional(3, "distance", Types.LongType.get()),
          Types.NestedField.optional(4, "origin", Types.StringType.get()),
          Types.NestedField.optional(5, "destination", Types.StringType.get()));

  @TempDir Path folder;
  private final List<Path> files = new ArrayList<>();
  private String uri = "";
  private long first;
  private long second;
  private String metadata = "";

  /// Writes to local files.
  public static final class LocalIO implements FileIO {
    private static final long serialVersionUID = 1;

    @Override
    public void initialize(Map<String, String> properties) {}

    @Override
    public InputFile newInputFile(String path) {
      return org.apache.iceberg.Files.localInput(path);
    }

    @Override
    public OutputFile newOutputFile(String path) {
      new File(path).getParentFile().mkdirs();
      return org.apache.iceberg.Files.localOutput(new File(path));
    }

    @Override
    public void deleteFile(String path) {
      new File(path).delete();
    }
  }

  @BeforeEach
  void writeTable() throws IOException {
    try (Stream<Path> all = Files.list(HeldOutFlights.FOLDER)) {
      for (Path file : all.sorted().toList()) {
        files.add(Files.copy(file, folder.resolve(file.getFileName().toString())));
      }
    }
    uri = "jdbc:h2:" + folder + "/catalog;DATABASE_TO_LOWER=TRUE";
    Map<String, String> options = new HashMap<>();
    options.put("type", "jdbc");
    options.put("uri", uri);
    options.put("warehouse", folder + "/warehouse");
    options.put("io-impl", LocalIO.class.getName());
    options.put("jdbc.schema-version", "V1");
    Catalog catalog = CatalogUtil.buildIcebergCatalog("penstock", options, null);
    ((SupportsNamespaces) catalog).createNamespace(Namespace.of("db"));
    Table table =
        catalog.createTable(
            TableIdentifier.of("db", "flights"),
            SCHEMA,
            PartitionSpec.unpartitioned(),
            Map.of(
                "schema.name-mapping.default",
                NameMappingParser.toJson(MappingUtil.create(SCHEMA))));
    table.newAppend().appendFile(file(files.get(0))).commit();
    first = table.currentSnapshot().snapshotId();
    table.manageSnapshots().createTag("half", first).commit();
    table.newAppend().appendFile(file(files.get(1))).commit();
    second = table.currentSnapshot().snapshotId();
    metadata = ((BaseTable) table).operations().current().metadataFileLocation();
  }

  private static DataFile file(Path path) throws IOException {
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(path.toString())
        .withFormat("parquet")
        .withFileSizeInBytes(Files.size(path))
        .withRecordCount(37_500)
        .build();
  }

  private CommandRun run(String command, String... options) {
    List<String> words =
        new ArrayList<>(
            List.of(
                command,
                "--table",
                "db.flights",
                "--catalog",
                "type=jdbc",
                "--catalog",
                "uri=" + uri,
                "--catalog",
                "warehouse=" + folder + "/warehouse",
                "--catalog",
                "jdbc.schema-version=V1"));
    words.addAll(List.of(options));
    return CommandRun.of(words.toArray(String[]::new));
  }

  @Test
  void tableIsShownAndReadAsItsFilesAre() {
    CommandRun schema = run("schema");
    assertThat(schema.err()).isEmpty();
    assertThat(schema.out()).contains("75,000 rows, 5 columns, 2 parquet files");
    String[] limits = {"--where", "delay > 100", "--columns", "delay,origin"};
    String[] plain = {
      "cat", folder + "/*.parquet", "--where", "delay > 100", "--columns", "delay,origin",
    };
    assertThat(run("cat", limits).out()).isNotEmpty().isEqualTo(CommandRun.of(plain).out());
    assertThat(run("head", "-n", "3").lines()).hasSize(6);
    CommandRun load = run("load", "--json");
    assertThat(CommandRun.field(load.out(), "rows")).isEqualTo("75000");
    assertThat(run("plan", "--where", "delay is null and delay is not null").status()).isZero();
  }

  @Test
  void snapshotsAreChosenByIdTimeAndName() {
    String rows = "37,500 rows";
    assertThat(run("schema", "--snapshot", String.valueOf(first)).out()).contains(rows);
    assertThat(run("schema", "--ref", "half").out()).contains(rows);
    assertThat(run("schema", "--as-of", "2100-01-01T00:00:00").out()).contains("75,000 rows");
    CommandRun early = run("schema", "--as-of", "2000-01-01T00:00:00Z");
    assertThat(early.status()).isEqualTo(1);
    assertThat(early.err()).contains("no snapshot as of 2000-01-01T00:00:00Z. Snapshots are: [");
    assertThat(run("schema", "--ref", "none").err())
        .isEqualTo(
            "Cannot read table 'db.flights': no branch or tag 'none'. There are: [half,"
                + " main].\n");
  }

  @Test
  void metadataOfAMovedTableIsRead() throws IOException {
    Path moved = Files.createDirectories(folder.resolve("moved"));
    for (Path file : files) {
      Files.move(file, moved.resolve(file.getFileName().toString()));
    }
    CommandRun run =
        CommandRun.of(
            "schema",
            "--metadata",
            metadata,
            "--map-location",
            files.getFirst() + "=" + moved.resolve(files.getFirst().getFileName().toString()),
            "--map-location",
            files.getLast() + "=" + moved.resolve(files.getLast().getFileName().toString()));
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("75,000 rows");
    CommandRun gone = CommandRun.of("schema", "--metadata", metadata);
    assertThat(gone.status()).isEqualTo(1);
    assertThat(gone.err()).contains(files.getFirst() + "': it is gone");
  }

  @Test
  void stateOfAnotherSnapshotIsRefusedAndNamesBoth() {
    String state = folder + "/state.json";
    CommandRun start =
        run(
            "cat",
            "--snapshot",
            String.valueOf(first),
            "--stop-after-batches",
            "2",
            "--save-state",
            state);
    assertThat(start.status()).as(start.err()).isZero();
    CommandRun other = run("cat", "--resume", state);
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.err()).contains("at snapshot(" + first + ") ", "at snapshot(" + second + ") ");
    CommandRun rest = run("cat", "--snapshot", String.valueOf(first), "--resume", state);
    assertThat(rest.err()).isEmpty();
    assertThat(start.lines().size() + rest.lines().size()).isEqualTo(37_500);
  }

  @Test
  void optionsThatDoNotGoTogetherAreUsageErrors() {
    assertUsage(
        "Cannot use LOCATION and --metadata together",
        "schema",
        "--metadata",
        metadata,
        folder.toString());
    assertUsage(
        "Cannot use --table and --metadata together", "schema", "--metadata", "x", "--table", "y");
    assertUsage("without a table", "schema", folder.toString(), "--ref", "half");
    assertUsage(
        "Cannot use --snapshot and --ref together",
        "schema",
        "--metadata",
        metadata,
        "--ref",
        "half",
        "--snapshot",
        "1");
    assertUsage("expected KEY=VALUE", "schema", "--table", "t", "--catalog", "hush-hush");
    assertUsage("do not say what kind", "schema", "--table", "t", "--catalog", "uri=x");
    assertUsage(
        "expected one such as 2026-11-01T12:00:00Z. [--as-of]",
        "schema",
        "--metadata",
        metadata,
        "--as-of",
        "yesterday");
  }

  private static void assertUsage(String message, String... words) {
    CommandRun run = CommandRun.of(words);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("hush-hush");
  }
}
