package dev.penstock.internal.request;

import dev.penstock.Mixture.Stop;
import dev.penstock.Mixture.Weights;
import dev.penstock.OnBadFile;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.compose.Packs.Mode;
import dev.penstock.compose.Packs.TooLong;
import dev.penstock.schema.MissingColumns;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.split.SplitStrategy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is asked for. What is null was not said, and has the default of
/// [dev.penstock.StructuredDataset] or [dev.penstock.options.LoaderOptions].
///
/// The components have the names of the options in Java, and in JSON. Each has its line in the
/// [OptionTable].
///
/// @param dataset what to read
/// @param loader how to deliver it
public record LoadRequest(Dataset dataset, Loader loader) {
  /// Options that stand with others in one object of the JSON.
  sealed interface Part
      permits Files, Decoding, Selection, Batches, Order, Splits, Ranks, Resources, Columns {}

  /// What to read: files, a table or a mixture.
  public record Dataset(
      Files files,
      @Nullable Table table,
      @Nullable Mixed mixture,
      Decoding decoding,
      Selection selection) {}

  /// Where the files are.
  public record Files(
      @Nullable List<String> locations,
      @Nullable String format,
      @Nullable Boolean partitioning,
      @Nullable Map<String, String> storage)
      implements Part {}

  /// Which table: of a catalog by its name, by its metadata, or that at the location.
  public record Table(
      @Nullable String name,
      @Nullable Map<String, String> catalog,
      @Nullable String metadata,
      @Nullable Long version,
      @Nullable Instant asOf,
      @Nullable String ref,
      @Nullable Map<String, String> mapLocation) {}

  /// How what is in the files becomes columns, and what is kept of them.
  public record Decoding(
      @Nullable Map<String, String> formatOptions,
      @Nullable Map<String, String> cast,
      @Nullable MissingColumns missingColumns,
      @Nullable OnBadFile onBadFile,
      @Nullable Boolean caseSensitive,
      @Nullable String plan,
      @Nullable CacheChoice cache,
      @Nullable Boolean sharedCache)
      implements Part {}

  /// Which rows and columns.
  public record Selection(@Nullable String where, @Nullable List<String> columns) implements Part {}

  /// Several datasets, or the classes of one.
  public record Mixed(
      @Nullable List<Source> sources,
      @Nullable Balance balance,
      @Nullable Stop stop,
      @Nullable String sourceColumn,
      @Nullable List<Weights> weightsFrom) {}

  /// One of several datasets.
  public record Source(double weight, Dataset dataset) {}

  /// The classes of a dataset, by a column.
  public record Balance(Dataset dataset, String column) {}

  /// What is made of the rows of each window.
  public sealed interface Compose {
    /// Rows as they are, in batches of nearly the same cost.
    record Balanced(String column, @Nullable Double quadratic, @Nullable Integer accumulate)
        implements Compose {}

    /// Rows with lists of similar length.
    record Buckets(
        String column,
        @Nullable Long tokens,
        @Nullable Boolean balanced,
        @Nullable Double quadratic,
        @Nullable Integer accumulate)
        implements Compose {}

    /// Lists packed into rows of one length.
    record Packs(
        String column,
        int length,
        @Nullable Mode mode,
        @Nullable TooLong tooLong,
        @Nullable Boolean balanced,
        @Nullable Double quadratic,
        @Nullable Integer accumulate)
        implements Compose {}

    /// All rows of a key.
    record Groups(String column) implements Compose {}

    /// Sliding windows over the rows of each key.
    record Windows(String column, int length, int stride) implements Compose {}

    /// Rows drawn by their weights.
    record Draws(String column, @Nullable Long numSamples) implements Compose {}
  }

  /// How to deliver the rows.
  public record Loader(
      Batches batches,
      Order order,
      Splits splits,
      Ranks ranks,
      Resources resources,
      Columns columns) {}

  /// How rows become batches.
  public record Batches(
      @Nullable Integer batchSize,
      @Nullable Boolean dropLast,
      @Nullable Long stepsPerEpoch,
      @Nullable Compose compose)
      implements Part {}

  /// The order of the rows.
  public record Order(@Nullable Shuffle shuffle, @Nullable Long seed) implements Part {}

  /// How files are cut into splits: as the last one says that is given.
  public record Splits(
      @Nullable ByteSize splitBytes, @Nullable Long splitRows, @Nullable SplitStrategy fileSplits)
      implements Part {}

  /// Which share of the rows.
  public record Ranks(
      @Nullable Rank rank, @Nullable RankEnd rankEnd, @Nullable Boolean countMatches)
      implements Part {}

  /// Threads, memory and time.
  public record Resources(
      @Nullable Integer workers,
      @Nullable Integer prefetchFactor,
      @Nullable Duration timeout,
      @Nullable ByteSize memory,
      @Nullable Boolean record,
      @Nullable Boolean stepDigests,
      @Nullable String stepLog,
      @Nullable Boolean poisonMemory)
      implements Part {}

  /// The form of the columns. Under the name `""` is what holds for all.
  public record Columns(
      @Nullable OutputFormat output,
      @Nullable Map<String, NullPolicy> nulls,
      @Nullable Map<String, EpochUnit> timestamps,
      @Nullable Map<String, DecimalForm> decimals,
      @Nullable Map<String, StringEncoding> strings,
      @Nullable Map<String, List<String>> features,
      @Nullable List<Tokenize> tokenize)
      implements Part {}

  /// A column of texts that become token ids.
  public record Tokenize(
      String column,
      String tokenizer,
      @Nullable String into,
      @Nullable String end,
      @Nullable String pair,
      @Nullable Boolean specialTokens,
      @Nullable Integer truncate,
      @Nullable TooLong tooLong) {}
}
