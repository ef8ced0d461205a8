package dev.penstock.options;

import dev.penstock.advice.CheckReturnValue;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Collator;
import dev.penstock.batch.Collators;
import dev.penstock.batch.RowFunction;
import dev.penstock.sample.Sampler;
import java.util.Objects;
import java.util.function.Function;

/// How a [dev.penstock.SampleLoader] delivers the rows of a [dev.penstock.data.MapDataset], under
/// torch's names and with its defaults: batches of 1 row, no shuffle, no workers, prefetch factor
/// 2, the short last batch kept, in order, no timeout, [Collators#standard()].
///
/// Most code changes the defaults where it makes the loader: `DataLoader.of(dataset, o ->
/// o.batchSize(4).shuffle(true))`. Options are set one by one and read by group, as in
/// `options.batching().rows()`.
///
/// Immutable: a method that sets an option returns a changed copy, and throws
/// [IllegalArgumentException] if the value is out of its range. Whether options fit together is
/// checked when the loader is made.
///
/// @param <T> what a row is
/// @param <B> what a batch is
@CheckReturnValue
public final class MapOptions<T, B> extends SampleOptions<MapOptions<T, B>> {
  private final Collator<T, B> collator;

  private MapOptions(Groups groups, Collator<T, B> collator) {
    super(groups);
    this.collator = collator;
  }

  /// {@return the defaults; state what a row is before a call of a method, as in
  /// `MapOptions.<Point>defaults().batchSize(64)`}
  ///
  /// @param <T> what a row is
  public static <T> MapOptions<T, Batch> defaults() {
    return new MapOptions<>(Groups.DEFAULTS, Collators.standard());
  }

  /// {@return the defaults as a function changes them}
  ///
  /// @param <T> what a row is
  /// @param <B> what a batch is
  /// @param change sets options, such as `o -> o.batchSize(4).shuffle(true)`
  /// @throws IllegalArgumentException if it drops what it sets
  public static <T, B> MapOptions<T, B> defaults(
      Function<MapOptions<T, Batch>, MapOptions<T, B>> change) {
    return changed(defaults(), change);
  }

  @Override
  MapOptions<T, B> with(Groups changed) {
    return with(changed, collator);
  }

  private <C> MapOptions<T, C> with(Groups changed, Collator<T, C> function) {
    copied();
    return new MapOptions<>(changed, function);
  }

  /// {@return a copy that delivers rows one by one, as the dataset gives them: torch's
  /// `batch_size=None`} Arrays stay arrays; to make tensors of them, give a function.
  public MapOptions<T, T> unbatched() {
    return unbatched(row -> row);
  }

  /// {@return a copy that delivers what a function makes of each row: torch's `batch_size=None`
  /// with a `collate_fn`} It runs in the workers.
  ///
  /// @param <C> what the function makes
  /// @param function the function
  public <C> MapOptions<T, C> unbatched(RowFunction<? super T, ? extends C> function) {
    Objects.requireNonNull(function, "unbatched must not be null.");
    return with(
        groups.with(batching().withUnbatched()), (rows, _) -> function.apply(rows.getFirst()));
  }

  /// {@return a copy with a function that makes a batch of rows} It runs in the workers. For a
  /// function on each row see [#unbatched(RowFunction)].
  ///
  /// @param <C> what a batch is
  /// @param function the collator
  public <C> MapOptions<T, C> collate(Collator<T, C> function) {
    Objects.requireNonNull(function, "collate must not be null.");
    return with(groups.with(batching().withCollated()), function);
  }

  /// {@return a copy that visits the rows in a new random order each epoch:
  /// [dev.penstock.sample.RandomSampler] over all rows, with [#generator]}
  ///
  /// @param choice true to shuffle
  public MapOptions<T, B> shuffle(boolean choice) {
    return with(groups.with(sampling().withShuffle(choice)));
  }

  /// {@return a copy with an order of the rows}
  ///
  /// @param order the sampler; told each epoch's number before it starts
  public MapOptions<T, B> sampler(Sampler order) {
    return with(groups.with(sampling().withSampler(order)));
  }

  /// {@return a copy with the rows of each batch, by their numbers}
  ///
  /// @param batches the batches of an epoch, iterated anew in each
  public MapOptions<T, B> batchSampler(Iterable<long[]> batches) {
    return with(groups.with(sampling().withBatchSampler(batches)));
  }

  /// {@return what makes a batch of rows}
  public Collator<T, B> collator() {
    return collator;
  }
}
