package dev.penstock.cli;

import dev.penstock.OnBadFile;
import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.MissingColumns;
import dev.penstock.spi.catalog.TableKind;
import dev.penstock.spi.storage.StorageOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What to read: the options that name files and columns.
final class ReadOptions {
  static final String HEADING = "%nWhat to read:%n";

  @Parameters(
      arity = "0..*",
      paramLabel = "URI",
      description = {
        "Folder (read at any depth), file or glob (*, **, ?, [ab], {a,b}), or several.",
        "A folder that is a Delta or Iceberg table is read as the table, unless --format is given."
      })
  private List<String> uris = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description =
          "Format of the files: arrow, avro, csv, json, jsonl, orc or parquet. Default: by extension,"
              + " then by first bytes.")
  private @Nullable String format;

  @Option(
      names = "--format-option",
      paramLabel = "KEY=VALUE",
      description =
          "How files are written, such as delimiter=; for CSV, or read, such as page-index=ignore"
              + " for Parquet. May be repeated.")
  private List<String> formatOptions = new ArrayList<>();

  @Option(
      names = "--columns",
      paramLabel = "a,b,c",
      split = ", *",
      hideParamSyntax = true,
      description = "Columns to read, in that order. Default: all.")
  private @Nullable List<String> columns;

  @Option(
      names = "--where",
      paramLabel = "EXPR",
      description = {
        "Rows to read, such as \"delay >= 15 and origin in ('ATL', 'ORD')\": and, or, not;",
        "= != < <= > >=, in (...), between A and B, is null, is nan, starts with '...', like '...';",
        "columns, numbers, 'text', true, false, x'CAFE', date '2001-02-03',",
        "timestamp '2001-02-03T13:45:00Z'.",
        "Default: all."
      })
  private @Nullable String where;

  @Option(
      names = "--partitioning",
      paramLabel = "hive",
      description =
          "Read key=value folders as columns: those below a folder, all of a file's path or of a"
              + " glob's. Default: folders are just folders.")
  private @Nullable String partitioning;

  @Option(
      names = "--cast",
      paramLabel = "COLUMN=TYPE",
      description = {
        "Read a column in another type, such as price=float64, repeatable; * and ? in the column",
        "stand for others. Types are as schema prints them: int64, string, date,",
        "decimal(10, 2), timestamp[us, UTC]. A value that the type has not is an error."
      })
  private List<String> casts = new ArrayList<>();

  @Option(
      names = "--missing-columns",
      paramLabel = "error|nulls",
      description =
          "What becomes of a column that some file lacks: an error, or nulls in that file's rows."
              + " Default: error, or what the table says.")
  private @Nullable String missingColumns;

  @Option(
      names = "--storage",
      paramLabel = "KEY=VALUE",
      description = {
        "Storage option, repeatable: endpoint, region, access-key-id, account, account-key, ...",
        "Lists of processes show VALUE: write @env:NAME for that of an environment variable.",
        "Default: what the environment says. Secrets are never printed."
      })
  private List<String> storage = new ArrayList<>();

  @Option(
      names = "--storage-file",
      paramLabel = "FILE",
      description = "Storage options, a KEY=VALUE a line, repeatable. --storage replaces them.")
  private List<Path> storageFiles = new ArrayList<>();

  @Option(
      names = "--on-bad-file",
      paramLabel = "fail|skip",
      description =
          "What becomes of a file whose footer, header or sample cannot be read: an error, or it is"
              + " left out with a warning. Default: fail.")
  private String onBadFile = "fail";

  @ArgGroup(validate = false)
  private CacheOptions cache = new CacheOptions();

  @ArgGroup(validate = false)
  private TableOptions table = new TableOptions();

  @ArgGroup(validate = false)
  private MixOptions mix = new MixOptions();

  private @Nullable Map<String, String> storageValues; // once they were wanted
  private @Nullable TableKind found; // which table the URI is, once it was looked at

  /// Returns the dataset that the options name. Opens nothing except a table, to find its snapshot.
  ///
  /// @throws UsageException if an option is invalid for any data
  StructuredDataset dataset() {
    StructuredDataset rows = mix.isGiven() ? mixed() : files(uris);
    List<String> names = columns;
    return names == null ? rows : UsageException.blame(() -> rows.columns(names));
  }

  private StructuredDataset mixed() {
    if (mix.hasSources() && (!uris.isEmpty() || table.isGiven())) {
      throw new UsageException(
          "Cannot read URIs or a table beside --mix: give each as --mix WEIGHT=URI.");
    }
    return mix.mixed(uri -> files(uri == null ? uris : List.of(uri)));
  }

  private StructuredDataset files(List<String> locations) {
    mix.requireUsed();
    StructuredDataset all = cache.apply(typed(source(locations)).onBadFile(badFiles()));
    String condition = where;
    return condition == null ? all : UsageException.blame(() -> all.where(condition));
  }

  private StructuredDataset typed(StructuredDataset source) {
    StructuredDataset dataset =
        switch (missingColumns) {
          case null -> source;
          case "error" -> source.missingColumns(MissingColumns.error());
          case "nulls" -> source.missingColumns(MissingColumns.nulls());
          default ->
              throw new UsageException(
                  "Cannot use missing-columns '" + missingColumns + "': expected error or nulls.");
        };
    for (String cast : casts) {
      StructuredDataset before = dataset;
      String column = KeyValues.key("--cast", cast);
      dataset =
          UsageException.blame(() -> before.cast(column, DataType.parse(KeyValues.value(cast))));
    }
    return dataset;
  }

  private OnBadFile badFiles() {
    return switch (onBadFile) {
      case "fail" -> OnBadFile.FAIL;
      case "skip" -> OnBadFile.SKIP;
      default ->
          throw new UsageException(
              "Cannot use on-bad-file '" + onBadFile + "': expected fail or skip.");
    };
  }

  private StructuredDataset source(List<String> uris) {
    if (table.isGiven()) {
      return tableDataset();
    }
    if (uris.isEmpty()) {
      throw new UsageException("Missing URI: name at least one folder, file or glob to read.");
    }
    if (partitioning != null && !partitioning.equals("hive")) {
      throw new UsageException(
          "Cannot use partitioning '" + partitioning + "': expected hive, or no --partitioning.");
    }
    StructuredDataset files = plainFiles(uris);
    if (uris.size() == 1 && format == null && partitioning == null) {
      found =
          UsageException.blame(() -> TableKind.at(uris.getFirst(), storageOptions())).orElse(null);
    }
    if (found != null) {
      return optioned(
          switch (found) {
            case DELTA -> table.delta(uris.getFirst(), storage());
            case ICEBERG -> table.iceberg(uris.getFirst(), storage());
          });
    }
    table.requireUnused();
    return files;
  }

  private Map<String, String> storage() {
    if (storageValues == null) {
      storageValues = KeyValues.of("--storage", storageFiles, storage);
    }
    return storageValues;
  }

  private StorageOptions storageOptions() {
    StorageOptions options = StorageOptions.NONE;
    for (Map.Entry<String, String> option : storage().entrySet()) {
      options = options.with(option.getKey(), option.getValue());
    }
    return options;
  }

  private StructuredDataset plainFiles(List<String> uris) {
    return UsageException.blame(() -> {
      StructuredDataset dataset = new StructuredDataset(uris);
      if (format != null) {
        dataset = dataset.format(format);
      }
      dataset = withFormatOptions(dataset);
      if (partitioning != null) {
        dataset = dataset.hivePartitions();
      }
      for (Map.Entry<String, String> option : storage().entrySet()) {
        dataset = dataset.storageOption(option.getKey(), option.getValue());
      }
      return dataset;
    });
  }

  private StructuredDataset withFormatOptions(StructuredDataset dataset) {
    StructuredDataset changed = dataset;
    for (String option : formatOptions) {
      changed =
          changed.formatOption(KeyValues.key("--format-option", option), KeyValues.value(option));
    }
    return changed;
  }

  private StructuredDataset optioned(StructuredDataset dataset) {
    return UsageException.blame(() -> withFormatOptions(dataset));
  }

  private StructuredDataset tableDataset() {
    if (!uris.isEmpty() || format != null || partitioning != null) {
      throw new UsageException(
          "Cannot use URIs, --format or --partitioning with a table, which knows its files.");
    }
    return optioned(table.dataset(storage()));
  }

  boolean isTable() {
    return table.isGiven() || found != null;
  }

  boolean usesCache() {
    return cache.isGiven();
  }

  boolean choosesColumns() {
    return columns != null;
  }
}
