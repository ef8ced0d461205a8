package dev.penstock;

import dev.penstock.advice.CheckReturnValue;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.plan.Mix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/// Datasets that are read together, each with a share of the rows.
///
/// ```java
/// var mixed =
///     new StructuredDataset(
///         Mixture.of(new StructuredDataset("web"), 0.7).and(new StructuredDataset("books"), 0.3));
/// ```
///
/// Each source has its own files, filter, casts and splits. Columns of one name become one column,
/// as in files of one dataset: narrower types are widened, and a source that lacks a column needs
/// [StructuredDataset#missingColumns].
///
/// **Shares.** Rows `[1024 * i, 1024 * (i + 1))` of an epoch have each source's share to within one
/// row. They count rows, such as documents, not their tokens, also where packs are made of them.
/// Which of their places a source has is random, by the loader's seed and the epoch. Weights are
/// rounded to 1/1,048,576.
///
/// **Order.** The rows of a source come in its own order: that of its files, or with
/// [dev.penstock.split.Shuffle#splits()] of its splits, anew in each pass. With a shuffle window,
/// the rows that each source has in a window of the mixture change places with each other; with
/// [dev.penstock.split.Shuffle#global()] all of its rows do, anew in each pass.
///
/// **Passes.** Where an epoch ends within a source, the next epoch goes on there. So every row of a
/// source comes once before any comes again.
///
/// Immutable: every method returns a changed copy.
@CheckReturnValue
public final class Mixture {
  /// The most sources.
  public static final int SOURCES_MAX = 4_096;

  private static final double WEIGHT_MIN = 1e-6;

  /// When an epoch of a mixture ends.
  public enum Stop {
    /// When a source has ended: its next row would be the first of another pass. The default.
    FIRST,
    /// When all sources have ended. Where one ends before, the others share its places by their
    /// weights.
    ALL,
    /// When every source was read at least once. Those that end before begin anew.
    REPEAT
  }

  /// A dataset and its weight.
  ///
  /// @param dataset the dataset
  /// @param weight its share is this, divided by the sum of all weights
  public record Source(StructuredDataset dataset, double weight) {
    /// Checks the weight.
    ///
    /// @throws IllegalArgumentException if it is negative, infinite or NaN
    public Source {
      Objects.requireNonNull(dataset, "dataset must not be null.");
      requireWeight(weight);
    }
  }

  /// The weights from some row on.
  ///
  /// @param row the row of the mixture, counted from 0 in each epoch
  /// @param weights one for each source; 0 for one that pauses
  public record Weights(long row, List<Double> weights) {
    /// Checks the weights.
    ///
    /// @throws IllegalArgumentException if one is negative, infinite or NaN, or all are 0, or the
    ///   row is below 1
    public Weights {
      weights = List.copyOf(weights);
      weights.forEach(Mixture::requireWeight);
      if (row < 1 || weights.stream().allMatch(weight -> weight == 0)) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Weights must be for a row from 1 on, and not all 0, got %s from row %s.",
                weights, row));
      }
    }
  }

  private final List<Source> sources;
  private final Stop stop;
  private final Optional<String> sourceColumn;
  private final List<Weights> later;

  private Mixture(
      List<Source> sources, Stop stop, Optional<String> sourceColumn, List<Weights> later) {
    this.sources = List.copyOf(sources);
    this.stop = stop;
    this.sourceColumn = sourceColumn;
    this.later = List.copyOf(later);
  }

  private static void requireWeight(double weight) {
    if (!(weight >= 0) || Double.isInfinite(weight)) {
      throw new IllegalArgumentException(
          "The weight of a source must be a positive number, got " + weight + ".");
    }
  }

  /// Starts with one source.
  ///
  /// @param dataset its files, filter, columns and splits
  /// @param weight its share is this, divided by the sum of all weights
  /// @return the mixture
  /// @throws IllegalArgumentException if the weight is negative, infinite or NaN
  public static Mixture of(StructuredDataset dataset, double weight) {
    return of(List.of(new Source(dataset, weight)));
  }

  /// Mixes sources.
  ///
  /// @param sources the sources, at least one
  /// @return the mixture
  public static Mixture of(List<Source> sources) {
    if (sources.isEmpty() || sources.size() > SOURCES_MAX) {
      throw new IllegalArgumentException(
          "A mixture has 1 to " + SOURCES_MAX + " sources, got " + sources.size() + ".");
    }
    for (Source source : sources) {
      if (source.dataset().mixture().isPresent()) {
        throw new IllegalArgumentException(
            "A mixture cannot be a source of another. Give all sources to one, with the product of"
                + " their weights.");
      }
    }
    return new Mixture(sources, Stop.FIRST, Optional.empty(), List.of());
  }

  /// Mixes the rows of one dataset by the values of a column, each value with the same share:
  /// classes that are rare come as often as others. Each value is a source, and reads the files for
  /// itself; the values are found by reading the column once.
  ///
  /// With [Stop#FIRST] an epoch ends with the rarest class (undersampling), with [Stop#REPEAT] it
  /// has every row, and those of rare classes several times (oversampling).
  ///
  /// @param dataset the dataset
  /// @param column a column of strings, integers or booleans
  /// @return the mixture; its sources are the values in ascending order, then that of null rows
  /// @throws IllegalArgumentException if the column is of another type, or has no value, or more
  ///   than 1,000
  /// @throws java.io.UncheckedIOException if the files cannot be read
  public static Mixture balanced(StructuredDataset dataset, String column) {
    return of(Classes.of(dataset, column).stream().map(each -> new Source(each, 1)).toList());
  }

  /// Adds a source.
  ///
  /// @param dataset its files, filter, columns and splits
  /// @param weight its share is this, divided by the sum of all weights
  /// @return the changed mixture
  /// @throws IllegalArgumentException if the weight is negative, infinite or NaN
  /// @throws IllegalStateException after [#weightsFrom]
  public Mixture and(StructuredDataset dataset, double weight) {
    if (!later.isEmpty()) {
      throw new IllegalStateException("Give all sources before weightsFrom(), which counts them.");
    }
    List<Source> more = new ArrayList<>(sources);
    more.add(new Source(dataset, weight));
    return of(more).stop(stop).with(sourceColumn);
  }

  /// Sets when an epoch ends.
  ///
  /// @param choice when
  /// @return the changed mixture
  public Mixture stop(Stop choice) {
    return new Mixture(
        sources, Objects.requireNonNull(choice, "stop must not be null."), sourceColumn, later);
  }

  /// Adds a column that says which source a row is from.
  ///
  /// @param name the column's name, which no source may have; it is an `int32`, and the first
  ///   source is 0
  /// @return the changed mixture
  public Mixture sourceColumn(String name) {
    return with(Optional.of(name));
  }

  private Mixture with(Optional<String> column) {
    return new Mixture(sources, stop, column, later);
  }

  /// Changes the weights within an epoch, for a curriculum. At each step all ranks have the same
  /// weights: each is dealt its part of the rows between two changes.
  ///
  /// @param row from which row of the epoch on, of all ranks together; after those given before
  /// @param weights one for each source; 0 for one that pauses
  /// @return the changed mixture
  /// @throws IllegalArgumentException if there are more or fewer weights than sources, all are 0,
  ///   one is negative, infinite or NaN, or the row is not after those given before
  public Mixture weightsFrom(long row, double... weights) {
    if (weights.length != sources.size()) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Expected a weight for each of %s sources, got %s.", sources.size(), weights.length));
    }
    Weights next = new Weights(row, Arrays.stream(weights).boxed().toList());
    if (!later.isEmpty() && later.getLast().row() >= row) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Weights from row %s must come before those from row %s.",
              row, later.getLast().row()));
    }
    List<Weights> more = new ArrayList<>(later);
    more.add(next);
    return new Mixture(sources, stop, sourceColumn, more);
  }

  /// Returns the sources.
  ///
  /// @return in the order given
  public List<Source> sources() {
    return sources;
  }

  /// Returns when an epoch ends.
  ///
  /// @return the choice
  public Stop stop() {
    return stop;
  }

  /// Returns the column that says which source a row is from.
  ///
  /// @return its name; empty if there is none
  public Optional<String> sourceColumn() {
    return sourceColumn;
  }

  /// Returns how weights change within an epoch.
  ///
  /// @return in the order of rows; empty if they do not
  public List<Weights> later() {
    return later;
  }

  /// Returns this, if every source has a share.
  ///
  /// @throws IllegalArgumentException if one has none
  Mixture checked() {
    requireWeights();
    return this;
  }

  /// Returns what decides the order.
  Mix mix() {
    List<Mix.Stage> stages = new ArrayList<>();
    stages.add(new Mix.Stage(0, sources.stream().map(Source::weight).toList()));
    later.forEach(weights -> stages.add(new Mix.Stage(weights.row(), weights.weights())));
    return new Mix(stages, Mix.Ending.valueOf(stop.name()));
  }

  /// Checks that every source has a share.
  ///
  /// @throws IllegalArgumentException if not
  private void requireWeights() {
    double sum = sources.stream().mapToDouble(Source::weight).sum();
    if (sum == 0) {
      throw new IllegalArgumentException(
          "The weights of a mixture's first rows must not all be 0. Give one source a weight.");
    }
    for (int i = 0; i < sources.size(); i++) {
      int source = i;
      boolean isEver =
          sources.get(source).weight() > 0
              || later.stream().anyMatch(weights -> weights.weights().get(source) > 0);
      double share = sources.get(source).weight() / sum;
      if (!isEver || (share > 0 && share < WEIGHT_MIN)) {
        throw new IllegalArgumentException(
            Sentence.of(
                "The weight of source %s is %s, so it has no row: expected a positive"
                    + " number, and at least a millionth of the sum. Leave the source out, or"
                    + " give it a weight.",
                source, sources.get(source).weight()));
      }
    }
  }

  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    for (Source source : sources) {
      texts.add(source.weight() + " of " + source.dataset());
    }
    return "Mixture of "
        + String.join(", ", texts)
        + ", stop "
        + stop.name().toLowerCase(Locale.ROOT)
        + sourceColumn.map(name -> ", source column " + name).orElse("")
        + (later.isEmpty() ? "" : ", weights " + later);
  }
}
