package dev.penstock.score;

import dev.penstock.StructuredDataset;
import dev.penstock.model.Model;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Ranks;
import dev.penstock.stats.EpochRecord;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Applies a model to all rows of a table, and writes the results as Parquet, each row once.
///
/// ```java
/// Scorer.of(new StructuredDataset("flights"), model).keys("id").writeTo("scores");
/// ```
///
/// **Exactly once.** The rows are cut into parts, by the files and the filter alone. A part's file
/// becomes visible as a whole, under a name that says its rows and its plan. A run that was killed
/// is started again with the same call: what is there stays, what is missing is made, with any
/// number of workers and ranks. When all parts are there, `_manifest.json` lists them. Another
/// table, model or choice of columns is refused; so is a second run at the same time.
///
/// **Ranks.** Several processes share the work by [#rank]: each makes parts of its own.
///
/// **Ownership.** The model is yours to close.
///
/// Immutable: each method returns a changed copy.
public final class Scorer {
  // Set only before a copy is handed out.
  final StructuredDataset dataset;
  final Model model;
  List<String> keys = List.of();
  List<String> columns = List.of();
  Map<String, List<String>> inputs = Map.of();
  UnaryOperator<LoaderOptions> options = same -> same;
  OnError onError = OnError.STOP;
  int workers = Runtime.getRuntime().availableProcessors();
  OptionalLong partRows = OptionalLong.empty();
  private Optional<Rank> rank = Optional.empty();
  private StorageOptions storage = StorageOptions.NONE;
  Consumer<ScorePlan> planned = _ -> {};
  Consumer<EpochRecord> recorded = _ -> {};
  Consumer<ScoreProgress> progress = _ -> {};

  private Scorer(StructuredDataset dataset, Model model) {
    this.dataset = Objects.requireNonNull(dataset, "dataset must not be null.");
    this.model = Objects.requireNonNull(model, "model must not be null.");
  }

  /// {@return a scorer without keys, as many workers as processors, and all other defaults}
  ///
  /// @param dataset the table, with the filter that its rows shall have
  /// @param model the model; any function from batches to columns is one
  public static Scorer of(StructuredDataset dataset, Model model) {
    return new Scorer(dataset, model);
  }

  private Scorer with(Consumer<Scorer> change) {
    Scorer copy = new Scorer(dataset, model);
    copy.keys = keys;
    copy.columns = columns;
    copy.inputs = inputs;
    copy.options = options;
    copy.onError = onError;
    copy.workers = workers;
    copy.partRows = partRows;
    copy.rank = rank;
    copy.storage = storage;
    copy.planned = planned;
    copy.recorded = recorded;
    copy.progress = progress;
    change.accept(copy);
    return copy;
  }

  /// {@return a copy with columns that tell rows apart, and are written first}
  ///
  /// @param names columns of the table, at least one for [#writeTo]
  public Scorer keys(String... names) {
    return with(copy -> copy.keys = List.of(names));
  }

  /// {@return a copy with columns of the table that are written behind the keys} A model that gets
  /// all columns finds 0 in place of their nulls, and beside them which they are, as with
  /// [dev.penstock.batch.NullPolicy#mask()]; so it does for keys.
  ///
  /// @param names columns of the table; none by default
  public Scorer columns(String... names) {
    return with(copy -> copy.columns = List.of(names));
  }

  /// {@return a copy that says what an input of the model is made of} By default an input gets the
  /// column of its name; or the columns that the model names itself; or, if it is the only one and
  /// takes as many, all numbers of the table but keys and carried columns.
  ///
  /// @param name the input
  /// @param columns one column, or those of a matrix, in order
  public Scorer input(String name, String... columns) {
    Map<String, List<String>> changed = new LinkedHashMap<>(inputs);
    changed.put(name, List.of(columns));
    return with(copy -> copy.inputs = Collections.unmodifiableMap(changed));
  }

  /// {@return a copy with other options of the loader, such as the size of batches, a transform, or
  /// the memory limit, which all workers share} Shuffle, rank, ends of epochs, output format and
  /// workers are those of the scorer.
  ///
  /// @param change as for [dev.penstock.DataLoader#of]
  public Scorer options(UnaryOperator<LoaderOptions> change) {
    return with(copy -> copy.options = Objects.requireNonNull(change, "options must not be null."));
  }

  /// {@return a copy with a choice for rows that the model throws for; [OnError#STOP] by default}
  ///
  /// @param choice stop or skip
  public Scorer onError(OnError choice) {
    return with(copy -> copy.onError = Objects.requireNonNull(choice, "onError must not be null."));
  }

  /// {@return a copy with a number of workers, each of which makes one part at a time, and calls
  /// the model} The default is the number of processors.
  ///
  /// @param count at least 1
  public Scorer workers(int count) {
    requirePositive("workers", count);
    return with(copy -> copy.workers = count);
  }

  /// {@return a copy with a maximum of rows for a part; 64 parts by default, if each has at least
  /// 16,384 rows, and at most 1,048,576 rows and 64 MiB} Counts when the folder is begun.
  ///
  /// @param most at least 1
  public Scorer partRows(long most) {
    requirePositive("partRows", most);
    return with(copy -> copy.partRows = OptionalLong.of(most));
  }

  /// {@return a copy with a rank; by default that of the environment}
  ///
  /// @param rank this process among those that share the work
  public Scorer rank(Rank rank) {
    return with(copy -> copy.rank = Optional.of(rank));
  }

  /// {@return a copy with an option of the store that is written to, as
  /// [StructuredDataset#storageOption]}
  ///
  /// @param key its name
  /// @param value its value
  public Scorer storageOption(String key, String value) {
    return with(copy -> copy.storage = storage.with(key, value));
  }

  /// {@return a copy that tells what it is about to do, once, before it makes parts}
  ///
  /// @param listener called by the thread that calls [#writeTo], unless the table has no rows
  public Scorer planned(Consumer<ScorePlan> listener) {
    return with(
        copy -> copy.planned = Objects.requireNonNull(listener, "planned must not be null."));
  }

  /// {@return a copy that tells how far it is, after each batch}
  ///
  /// @param listener called by all workers, one at a time; should return soon
  public Scorer progress(Consumer<ScoreProgress> listener) {
    return with(
        copy -> copy.progress = Objects.requireNonNull(listener, "progress must not be null."));
  }

  /// {@return a copy that hands on what the loader of each part did} A report can show it, with
  /// [LoaderOptions#record(boolean)] also what happened when.
  ///
  /// @param listener called by all workers, also at once, when they have read a part
  public Scorer recorded(Consumer<EpochRecord> listener) {
    return with(
        copy -> copy.recorded = Objects.requireNonNull(listener, "recorded must not be null."));
  }

  /// Says what [#writeTo] would do: reads the footers and a batch, writes nothing.
  ///
  /// @return the inputs, and what is written
  /// @throws IllegalArgumentException if a column is not there or does not fit
  /// @throws ModelException if the model fails
  /// @throws IOException if a file cannot be read
  /// @throws InterruptedException if the thread is interrupted
  public ScorePlan plan() throws IOException, InterruptedException {
    return ScoreRun.plan(this);
  }

  /// Makes this rank's missing parts.
  ///
  /// @param folder a folder, also of a store; made if it is not there
  /// @return what was done
  /// @throws IOException if a file cannot be read or created, or another run is at work there
  /// @throws IllegalArgumentException if a column is not there or does not fit, or the folder has
  ///   other scores
  /// @throws ModelException if the model fails for a row
  /// @throws InterruptedException if the thread is interrupted; what is there stays
  public ScoreResult writeTo(String folder) throws IOException, InterruptedException {
    return new ScoreRun(this, ScoreFolder.of(folder, storage)).run();
  }

  /// Compares a folder of scores with this table: that all parts are there as they were written,
  /// and that their keys are those of the table, row for row. Does not call the model.
  ///
  /// @param folder a folder that [#writeTo] has completed
  /// @return what was compared
  /// @throws IOException if a file cannot be read
  /// @throws ScoresDifferException if something differs; the message says what, and where
  public ScoreCheck check(String folder) throws IOException {
    return ScoreCheck.of(this, ScoreFolder.of(folder, storage));
  }

  /// Returns a file that was written, as a table.
  StructuredDataset stored(String file, List<String> columns) {
    StructuredDataset table = new StructuredDataset(file).columns(columns);
    for (String key : storage.keys()) {
      table = table.storageOption(key, storage.get(key).orElseThrow());
    }
    return table;
  }

  Rank rankHere() {
    return rank.orElseGet(Ranks::fromEnvironment);
  }

  private static void requirePositive(String what, long number) {
    if (number < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, got " + number + ".");
    }
  }

  @Override
  public String toString() {
    return "Scorer of " + dataset;
  }
}
