package dev.penstock.serve;

import dev.penstock.Mixture.Stop;
import dev.penstock.OnBadFile;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.OutputFormat;
import dev.penstock.compose.Packs.TooLong;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.schema.MissingColumns;
import dev.penstock.serve.Option.Form;
import dev.penstock.serve.Option.Owner;
import dev.penstock.spi.catalog.TableTime;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// All options that clients set, in the order in which Python takes them.
///
/// [Request] reads them by this table. Python's checks (`_options.py`), the docstrings of its
/// classes and the tables of docs/reference/options.md are written from it by `ClientOptionsTest`.
/// It is one long file because it is one table.
final class ClientOptions {
  private static final List<Option<?>> ALL = new ArrayList<>();
  private static final String OR_BY_COLUMN = "; or a dict from column to one of these";
  private static final Form<String> SIZE =
      Form.of("size", "a number of bytes, or a text with a unit", JsonFields::text);
  private static final Form<String> COLUMN = Form.text("the name of a column");

  // How rows are delivered.

  static final Option<Void> DATASET =
      client(
          "dataset",
          Form.ofClient("dataset", "a Dataset, a Mixture, or a location"),
          "Dataset(\"data/flights\")",
          "",
          "what to read: a Dataset, a Mixture, or a location.");
  static final Option<Integer> BATCH_SIZE =
      loader("batchSize", Form.integer(1), "512", "1024", "the rows of a batch.");
  static final Option<Integer> WORKERS =
      loader(
          "workers",
          Form.integer(0),
          "4",
          "as many as needed, up to the machine's processors",
          "threads that decode.");
  static final Option<Shuffle> SHUFFLE =
      loader(
          "shuffle",
          Form.of(
              "shuffle",
              "True, False, \"splits\", \"window:ROWS\" or Window(ROWS)",
              (fields, name) -> Shuffle.parse(fields.text(name))),
          "\"window:65536\"",
          "False",
          "False, True (splits are permuted) or Window(65536) (rows, too).");
  static final Option<Map<?, ?>> COMPOSE =
      loader(
          "compose",
          Form.of(
              "compose", "one of Buckets, Packs, Groups, Windows and Draws", JsonFields::object),
          "Buckets(\"tokens\")",
          "",
          "what is made of the rows of each window: Buckets, Packs, Groups, Windows or Draws.");
  static final Option<Long> SEED =
      loader("seed", Form.whole(Long.MIN_VALUE), "1", "0", "of the shuffle.");
  static final Option<Boolean> DROP_LAST =
      loader(
          "dropLast", Form.truth(), "True", "False", "leave out a last batch with too few rows.");
  static final Option<Long> STEPS_PER_EPOCH =
      loader("stepsPerEpoch", Form.whole(1), "1000", "", "end each epoch after so many batches.");
  static final Option<Rank> RANK =
      loader(
          "rank",
          Form.of(
              "rank",
              "(rank, world), with rank from 0 and below world",
              (fields, name) -> Rank.parse(fields.text(name))),
          "(0, 8)",
          "as torch.distributed or the launcher says, else (0, 1)",
          "which of the training processes this is: (rank, world).");
  static final Option<RankEnd> RANK_END =
      loader(
          "rankEnd",
          Form.choice(RankEnd.class),
          "\"pad\"",
          "\"exact\"",
          "how ranks come to the same number of batches.");
  static final Option<Boolean> COUNT_MATCHES =
      loader(
          "countMatches",
          Form.truth(),
          "False",
          "True",
          "whether to count the rows that the filter keeps, if there are several ranks.");
  static final Option<String> MEMORY =
      loader(
          "memory",
          SIZE,
          "\"1GiB\"",
          "512 MiB and 64 MiB more for each worker",
          "the most memory that the engine may take for this loader.");
  static final Option<Void> SHARED_MEMORY =
      client(
          "shared_memory",
          Form.ofClient("size", SIZE.expected()),
          "\"4GiB\"",
          "the machine's memory; with `pin_memory` 1 GiB",
          "the most bytes that batches may take, those that you keep included; `memory` is at most"
              + " this.");
  static final Option<Integer> PREFETCH_FACTOR =
      loader(
          "prefetchFactor",
          Form.integer(1),
          "4",
          "2",
          "how many batches are made ahead for each worker.");
  static final Option<Duration> TIMEOUT =
      loader(
          "timeout",
          seconds(),
          "60",
          "0",
          "how many seconds to wait for a batch; 0 waits for ever.");
  static final Option<List<?>> FEATURES =
      loader(
          "features",
          Form.list(
              "features",
              "a dict from the name of a feature matrix to a list of columns",
              List.of()),
          "{\"x\": [\"a\", \"b\"]}",
          "",
          "feature matrices: name to columns, as in {\"x\": [\"a\", \"b\"]}.");
  static final Option<Map<String, String>> NULLS =
      loader(
          "nulls",
          Form.byColumn(
              "nulls",
              "\"nan\", \"mask\", \"error\", a number or a text that replaces nulls" + OR_BY_COLUMN,
              List.of("nan", "mask", "error")),
          "\"mask\"",
          "\"nan\"",
          "what stands for nulls.");
  static final Option<List<?>> STRINGS =
      loader(
          "strings",
          Form.list(
              "strings",
              "a dict from column to \"list\", \"codes\", Codes(vocabulary=[...], unknown=0)"
                  + " or Hashed(buckets=1000)",
              List.of("list", "codes")),
          "{\"origin\": \"codes\"}",
          "\"list\"",
          "how columns of strings are delivered.");
  static final Option<Map<String, String>> TIMESTAMPS =
      loader(
          "timestamps",
          choiceByColumn(Option.texts(EpochUnit.class)),
          "\"millis\"",
          "\"stored\"",
          "what dates and timestamps count.");
  static final Option<Map<String, String>> DECIMALS =
      loader(
          "decimals",
          choiceByColumn(Option.texts(DecimalForm.class)),
          "\"float64\"",
          "\"object\"",
          "the form of decimals.");
  static final Option<Void> LISTS =
      client(
          "lists",
          new Form<>(
              "lists",
              "\"ragged\", \"block\", \"padded\" or Padded(value=0, length=128)" + OR_BY_COLUMN,
              0,
              0,
              List.of("ragged", "block", "padded"),
              Form.ofClient("", "").read()),
          "{\"tokens\": \"padded\"}",
          "\"ragged\"; \"block\" where `compose` makes lists of one length",
          "the form of lists of numbers.");
  static final Option<String> SPLIT_BYTES =
      loader(
          "splitBytes",
          SIZE,
          "\"128MiB\"",
          "\"128MiB\"",
          "pack row groups into splits of up to this size.");
  static final Option<Long> SPLIT_ROWS =
      loader(
          "splitRows",
          Form.whole(1),
          "1_000_000",
          "",
          "pack row groups into splits of up to so many rows, instead of `split_bytes`.");
  static final Option<OutputFormat> OUTPUT =
      loader(
          "output",
          Form.choice(OutputFormat.class).inPython(List.of("torch", "numpy", "arrow")),
          "\"numpy\"",
          "\"torch\"",
          "the form of batches.");
  static final Option<Void> PIN_MEMORY =
      client(
          "pin_memory",
          Form.ofClient("truth", "True or False"),
          "True",
          "False",
          "register the shared memory with CUDA, so that copies to a GPU need no wait.");
  static final Option<Void> COLLATE_FN =
      client(
          "collate_fn",
          Form.ofClient("function", "a function that takes a batch"),
          "my_function",
          "",
          "what to make of each batch.");
  static final Option<Void> SERVER =
      client(
          "server",
          Form.ofClient("server", "\"host:port\" or (host, port)"),
          "\"loaders.internal:7200\"",
          "",
          "where a `penstock serve --listen` is, instead of an engine of this machine: \"host:port\" or (host, port).");
  static final Option<Void> TOKEN =
      client(
          "token",
          Form.ofClient("secret", "a text"),
          "os.environ[\"TOKEN\"]",
          "",
          "the server's token.");
  static final Option<Void> CA_FILE =
      client(
          "ca_file",
          Form.ofClient("path", "a path"),
          "\"ca.pem\"",
          "those of the system",
          "the certificates to trust.");

  /// For tests of the library; Python does not offer it.
  static final Option<Boolean> POISON_MEMORY =
      new Option<>(Owner.LOADER, "poisonMemory", "", Form.truth(), "True", "False", "");

  // What is read.

  static final Option<List<String>> LOCATIONS =
      dataset(
          "locations",
          Form.of("locations", "a path or a list of paths", JsonFields::texts),
          "\"data/flights\"",
          "",
          "a folder (read at any depth), a file, a glob, or several; local paths, `s3://`, `gs://`,"
              + " `az://`, `abfs://`, `http(s)://`. A folder that is a Delta or Iceberg table is read"
              + " as that table, unless `format` or `partitioning` is given.");
  static final Option<List<String>> COLUMNS =
      dataset(
          "columns",
          Form.names(),
          "[\"a\", \"b\"]",
          "all",
          "the columns to read, in that order; dotted names reach into structs.");
  static final Option<String> WHERE =
      dataset(
          "where",
          Form.of(
              "anything",
              "a text, an expression of pyarrow or pyiceberg, or a list of these",
              JsonFields::text),
          "\"delay >= 15\"",
          "all",
          "the rows to read: a text such as \"delay >= 15 and origin in ('ATL', 'ORD')\", an"
              + " expression of pyarrow or pyiceberg, or a list of these, which must all be true.");
  static final Option<String> FORMAT =
      dataset(
          "format",
          Form.text("the name of a format"),
          "\"csv\"",
          "by extension, then by first bytes",
          "parquet, csv, json, jsonl, orc, avro or arrow.");
  static final Option<Boolean> PARTITIONING =
      dataset(
          "partitioning",
          Form.choice(Map.of("hive", true)),
          "\"hive\"",
          "",
          "\"hive\" reads `key=value` folders as columns.");
  static final Option<Map<String, String>> STORAGE =
      dataset(
          "storage",
          secrets("a dict from an option of the store to its value"),
          "{\"region\": \"eu-central-1\"}",
          "what the environment says",
          "options of the store, such as endpoint, region or access-key-id.");
  static final Option<Map<String, String>> FORMAT_OPTIONS =
      dataset(
          "formatOptions",
          Form.texts("a dict from an option of the format to its value"),
          "{\"delimiter\": \";\"}",
          "",
          "how files are written, such as {\"delimiter\": \";\"} for CSV.");
  static final Option<Map<String, String>> CAST =
      dataset(
          "cast",
          Form.texts("a dict from column to the name of a type"),
          "{\"price\": \"float64\"}",
          "",
          "column to type, as in {\"price\": \"float64\"}.");
  static final Option<MissingColumns> MISSING_COLUMNS =
      dataset(
          "missingColumns",
          Form.choice(ordered("error", MissingColumns.error(), "nulls", MissingColumns.nulls())),
          "\"nulls\"",
          "\"error\"",
          "what becomes of columns that some file lacks.");
  static final Option<OnBadFile> ON_BAD_FILE =
      dataset(
          "onBadFile",
          Form.choice(OnBadFile.class),
          "\"skip\"",
          "\"fail\"",
          "what becomes of files that cannot be read.");
  static final Option<Boolean> CASE_SENSITIVE =
      dataset(
          "caseSensitive",
          Form.truth(),
          "False",
          "True",
          "whether names of columns must match in case.");

  // Tables: the fields of `table` in `dataset`.

  static final Option<String> TABLE =
      add(
          Owner.DATASET,
          "name",
          "table",
          Form.text("the name of a table"),
          "\"lake.flights\"",
          "",
          "the name of an Iceberg table in a catalog, instead of locations.");
  static final Option<Map<String, String>> CATALOG =
      dataset(
          "catalog",
          secrets("a dict from an option of the catalog to its value"),
          "{\"type\": \"rest\", \"uri\": \"https://catalog\"}",
          "",
          "the options of that catalog, as Iceberg takes them.");
  static final Option<String> METADATA =
      dataset(
          "metadata",
          Form.of("path", "a path", JsonFields::text),
          "\"lake/flights/metadata\"",
          "",
          "a metadata file of an Iceberg table, or its folder, instead of locations.");
  static final Option<Long> VERSION =
      dataset(
          "version",
          Form.whole(Long.MIN_VALUE),
          "12",
          "the current one",
          "the version of a Delta table or the snapshot of an Iceberg table.");
  static final Option<Instant> AS_OF =
      dataset(
          "asOf",
          Form.of(
              "time",
              "a datetime, or a text in the form of ISO 8601",
              (fields, name) -> TableTime.parse(fields.text(name))),
          "\"2026-11-01T12:00:00Z\"",
          "",
          "the table as it was at a time.");
  static final Option<String> REF =
      dataset(
          "ref",
          Form.text("the name of a branch or tag"),
          "\"audit\"",
          "",
          "a branch or tag of an Iceberg table.");
  static final Option<Map<String, String>> MAP_LOCATION =
      dataset(
          "mapLocation",
          Form.texts("a dict from a location to another"),
          "{\"s3://old/lake\": \"/mnt/lake\"}",
          "",
          "where files are that a table's metadata names elsewhere: {from: to}.");

  // Mixtures.

  static final Option<List<?>> SOURCES =
      mixture(
          "sources",
          Form.list("anything", "datasets, or locations, and their weights", List.of()),
          "{\"data/web\": 0.7, \"data/books\": 0.3}",
          "",
          "datasets, or locations, and their weights: a share is the weight divided by the sum of"
              + " all.");
  static final Option<Stop> STOP =
      mixture(
          "stop",
          Form.choice(Stop.class),
          "\"repeat\"",
          "\"first\"",
          "when an epoch ends: \"first\" when a source has ended, \"all\" when all have, \"repeat\""
              + " when every source was read at least once; those that end before begin anew.");
  static final Option<String> SOURCE_COLUMN =
      mixture(
          "sourceColumn",
          COLUMN,
          "\"source\"",
          "",
          "the name of an int32 column to add, with the number of each row's source, from 0.");
  static final Option<List<?>> WEIGHTS_FROM =
      mixture(
          "weightsFrom",
          Form.list("anything", "a dict from row to the weights of all sources", List.of()),
          "{1_000_000: [0.5, 0.5]}",
          "",
          "other weights from some row of the epoch on, counted over all ranks: {row: [weight of"
              + " each source]}.");
  static final Option<List<String>> MIXTURE_COLUMNS =
      mixture(
          "columns",
          Form.names(),
          "[\"a\", \"b\"]",
          "those of the sources, which must all have them, or missing_columns",
          "the columns to read, in that order.");
  static final Option<String> MIXTURE_WHERE =
      mixture(
          "where",
          Form.of("anything", "a text", JsonFields::text),
          "\"delay >= 15\"",
          "all",
          "the rows of all sources to read, as text. Each source may have a filter of its own.");

  // Compositions.

  static final Option<String> BUCKETS_COLUMN =
      add(Owner.BUCKETS, "column", COLUMN, "\"tokens\"", "", "a column of lists.");
  static final Option<Long> TOKENS =
      add(
          Owner.BUCKETS,
          "tokens",
          Form.whole(1),
          "16384",
          "only the batch size bounds it",
          "the most elements of a batch, padded to its longest list.");
  static final Option<String> PACKS_COLUMN =
      add(
          Owner.PACKS,
          "column",
          COLUMN,
          "\"tokens\"",
          "",
          "a column of lists; other columns are left out.");
  static final Option<Integer> PACKS_LENGTH =
      add(Owner.PACKS, "length", Form.integer(1), "2048", "", "the elements of a row.");
  static final Option<Boolean> MODE =
      add(
          Owner.PACKS,
          "mode",
          Form.choice(ordered("cut", false, "whole", true)),
          "\"whole\"",
          "\"cut\"",
          "\"cut\", where a list may go on in the next row, or \"whole\", by best fit.");
  static final Option<TooLong> TOO_LONG =
      add(
          Owner.PACKS,
          "tooLong",
          Form.choice(TooLong.class),
          "\"drop\"",
          "\"error\"",
          "with \"whole\", what becomes of a longer list.");
  static final Option<String> GROUPS_COLUMN =
      add(Owner.GROUPS, "column", COLUMN, "\"query\"", "", "the key.");
  static final Option<String> WINDOWS_COLUMN =
      add(Owner.WINDOWS, "column", COLUMN, "\"series\"", "", "the key.");
  static final Option<Integer> WINDOWS_LENGTH =
      add(Owner.WINDOWS, "length", Form.integer(1), "64", "", "the rows of a window.");
  static final Option<Integer> STRIDE =
      add(
          Owner.WINDOWS,
          "stride",
          Form.integer(1),
          "16",
          "",
          "how many rows further the next one begins.");
  static final Option<String> DRAWS_COLUMN =
      add(Owner.DRAWS, "column", COLUMN, "\"w\"", "", "the weights.");
  static final Option<Long> NUM_SAMPLES =
      add(
          Owner.DRAWS,
          "numSamples",
          Form.whole(1),
          "100_000",
          "as many as there are rows",
          "the draws of an epoch.");

  private ClientOptions() {}

  /// Returns the options of a class, in the order of its arguments.
  static List<Option<?>> of(Owner owner) {
    return ALL.stream().filter(option -> option.owner() == owner).toList();
  }

  private static Form<Duration> seconds() {
    Form<Double> number = Form.number("seconds", "a number of seconds, 0 or more", 1L << 32);
    return new Form<>(
        number.kind(),
        number.expected(),
        number.least(),
        number.most(),
        List.of(),
        number.read().andThen(seconds -> Duration.ofNanos((long) (seconds * 1e9))));
  }

  private static Form<Map<String, String>> choiceByColumn(List<String> choices) {
    return Form.byColumn(
        "choice_by_column", "one of " + Option.quoted(choices) + OR_BY_COLUMN, choices);
  }

  /// Returns a form whose values are shown nowhere.
  private static Form<Map<String, String>> secrets(String expected) {
    return Form.of("secrets", expected, Form.texts(expected).read());
  }

  private static <V> Map<String, V> ordered(String one, V first, String other, V second) {
    Map<String, V> choices = new LinkedHashMap<>();
    choices.put(one, first);
    choices.put(other, second);
    return choices;
  }

  private static <V> Option<V> loader(
      String name, Form<V> form, String example, String usual, String sentence) {
    return add(Owner.LOADER, name, form, example, usual, sentence);
  }

  private static <V> Option<V> dataset(
      String name, Form<V> form, String example, String usual, String sentence) {
    return add(Owner.DATASET, name, form, example, usual, sentence);
  }

  private static <V> Option<V> mixture(
      String name, Form<V> form, String example, String usual, String sentence) {
    return add(Owner.MIXTURE, name, form, example, usual, sentence);
  }

  /// Adds an option that is no request's: the client itself does what it says.
  private static Option<Void> client(
      String python, Form<Void> form, String example, String usual, String sentence) {
    return add(Owner.LOADER, "", python, form, example, usual, sentence);
  }

  private static <V> Option<V> add(
      Owner owner, String name, Form<V> form, String example, String usual, String sentence) {
    String python = name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    return add(owner, name, python, form, example, usual, sentence);
  }

  private static <V> Option<V> add(
      Owner owner,
      String name,
      String python,
      Form<V> form,
      String example,
      String usual,
      String sentence) {
    Option<V> option = new Option<>(owner, name, python, form, example, usual, sentence);
    ALL.add(option);
    return option;
  }
}
