package dev.penstock.options;

import dev.penstock.advice.CheckReturnValue;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Collator;
import dev.penstock.batch.Collators;
import dev.penstock.batch.RowFunction;
import java.util.Objects;
import java.util.function.Function;

/// How a [dev.penstock.SampleLoader] delivers the rows of an [dev.penstock.data.IterableDataset],
/// under torch's names and with its defaults. The options, their defaults and their errors are
/// those of [MapOptions], without a shuffle and samplers, because the dataset has its own order.
///
/// Most code changes the defaults where it makes the loader: `DataLoader.of(dataset, o ->
/// o.batchSize(4).workers(2))`. Immutable: a method that sets an option returns a changed copy.
///
/// @param <T> what a row is
/// @param <B> what a batch is
@CheckReturnValue
public final class IterableOptions<T, B> extends SampleOptions<IterableOptions<T, B>> {
  private final Collator<T, B> collator;

  private IterableOptions(Groups groups, Collator<T, B> collator) {
    super(groups);
    this.collator = collator;
  }

  /// {@return the defaults; state what a row is before a call of a method, as in
  /// `IterableOptions.<Point>defaults().batchSize(64)`}
  ///
  /// @param <T> what a row is
  public static <T> IterableOptions<T, Batch> defaults() {
    return new IterableOptions<>(Groups.DEFAULTS, Collators.standard());
  }

  /// {@return the defaults as a function changes them}
  ///
  /// @param <T> what a row is
  /// @param <B> what a batch is
  /// @param change sets options, such as `o -> o.batchSize(4).workers(2)`
  /// @throws IllegalArgumentException if it drops what it sets
  public static <T, B> IterableOptions<T, B> defaults(
      Function<IterableOptions<T, Batch>, IterableOptions<T, B>> change) {
    return changed(defaults(), change);
  }

  @Override
  IterableOptions<T, B> with(Groups changed) {
    return with(changed, collator);
  }

  private <C> IterableOptions<T, C> with(Groups changed, Collator<T, C> function) {
    copied();
    return new IterableOptions<>(changed, function);
  }

  /// {@return a copy that delivers rows one by one, as the dataset gives them: torch's
  /// `batch_size=None`} Arrays stay arrays; to make tensors of them, give a function.
  public IterableOptions<T, T> unbatched() {
    return unbatched(row -> row);
  }

  /// {@return a copy that delivers what a function makes of each row: torch's `batch_size=None`
  /// with a `collate_fn`} It runs in the workers.
  ///
  /// @param <C> what the function makes
  /// @param function the function
  public <C> IterableOptions<T, C> unbatched(RowFunction<? super T, ? extends C> function) {
    Objects.requireNonNull(function, "unbatched must not be null.");
    return with(
        groups.with(batching().withUnbatched()), (rows, _) -> function.apply(rows.getFirst()));
  }

  /// {@return a copy with a function that makes a batch of rows} It runs in the workers. For a
  /// function on each row see [#unbatched(RowFunction)].
  ///
  /// @param <C> what a batch is
  /// @param function the collator
  public <C> IterableOptions<T, C> collate(Collator<T, C> function) {
    Objects.requireNonNull(function, "collate must not be null.");
    return with(groups.with(batching().withCollated()), function);
  }

  /// {@return what makes a batch of rows}
  public Collator<T, B> collator() {
    return collator;
  }
}
