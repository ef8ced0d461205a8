package dev.penstock.internal.order;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.KeyedPermutation;
import dev.penstock.internal.plan.Reach;
import dev.penstock.internal.plan.RowPermutation;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.TorchPermutation;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.table.TableFile;
import dev.penstock.split.Plan;
import dev.penstock.split.Shuffle;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Each row of one dataset at any place: a permutation of the rows that match.
final class GlobalOrder extends EpochOrder {
  /// The rows that a worker puts in order take this part (1/n) of the memory for each worker.
  private static final int PARTS = 4;

  /// The least number of parts of an epoch that each worker puts in order. With one part each, some
  /// would wait for the last.
  private static final int RUNS = 2;

  /// Going over the cache more often takes longer than piles, also in memory: see
  /// docs/design/speed.md.
  private static final int SWEEPS_MAX = 10;

  /// Why a mixture is not put in an order.
  static final String NOT_MIXED = "torch's order and piles are of one dataset, unlike 'global:1'";

  private final Shuffle name;
  private final Permuting permuting;
  private final boolean isPiled;
  private final long decoded; // about how many bytes the columns take

  private interface Permuting {
    RowPermutation of(long rows, long seed, long epoch);
  }

  private GlobalOrder(OrderInput in, Shuffle.Passes passes, Shuffle name, Permuting permuting) {
    super(in, Reach.NONE);
    requireFits(in, in.mix().isEmpty() ? "" : NOT_MIXED);
    this.name = name;
    this.permuting = permuting;
    this.decoded = DecodedBytes.of(in.sources());
    this.isPiled =
        switch (passes) {
          case ONE -> false;
          case TWO -> true;
          case BY_SIZE ->
              decoded > MachineMemory.bytes() / 2
                  || decoded / in.rank().count()
                      > SWEEPS_MAX * bytesAtOnce(in) * sharing(in, decoded);
        };
  }

  static GlobalOrder keyed(OrderInput in, Shuffle.Passes passes) {
    return new GlobalOrder(in, passes, Shuffle.global(), KeyedPermutation::new);
  }

  static GlobalOrder torch(OrderInput in, Shuffle.Passes passes) {
    return new GlobalOrder(in, passes, Shuffle.torch(), TorchPermutation::new);
  }

  /// Checks that rows can be read by number.
  ///
  /// @param mixed what forbids to mix in this order; empty if nothing does
  static void requireFits(OrderInput in, String mixed) {
    String reason =
        in.changesRows()
            ? "the transform is given whole blocks of neighbouring rows, as its keepsRows() is false"
            : in.composition().isPresent()
                ? "a composition is made of neighbouring rows"
                : in.options().order().splitPerWorker()
                    ? "each worker makes batches of its own Split"
                    : mixed;
    if (!reason.isEmpty()) {
      throw Advice.argumentError(
          "Cannot shuffle %s by '%s': %s. Use %s.",
          in.dataset(), in.options().order().shuffle(), reason, Remedy.SHUFFLE_WINDOW);
    }
    Optional<TableFile> without =
        in.sources().stream()
            .flatMap(source -> source.table().files().stream())
            .filter(file -> file.cached().isEmpty() && !file.rowGroups().isEmpty())
            .findFirst();
    if (without.isPresent()) {
      Location location = without.get().location();
      throw Advice.argumentError(
          "Cannot shuffle by '%s': rows are read by number from a cache, and %s",
          in.options().order().shuffle(),
          without.get().version().isEmpty()
              ? Advice.of(
                  "none can have '%s', as its store does not tell when it changes. Use %s.",
                  location, Remedy.SHUFFLE_WINDOW)
              : Advice.of(
                  "there is none for '%s'. %s",
                  location,
                  CacheFolder.advice(DecodedBytes.of(in.sources()), in.atLeastOneWorker() + 1)));
    }
  }

  /// Returns how many rows are put in order together, where they are read from the cache: workers
  /// go over all row groups each time.
  static int rowsAtOnce(OrderInput in) {
    long bytes = 1 + cachedBytes(in);
    return rowsAtOnce(in, bytes, sharing(in, bytes));
  }

  private static int rowsAtOnce(OrderInput in, long bytes, int sharing) {
    long fair = Math.ceilDiv(rows(in), RUNS * Math.ceilDiv(in.atLeastOneWorker(), sharing));
    long fitting = bytesAtOnce(in) * sharing / Math.ceilDiv(bytes, rows(in));
    return Math.clamp(Math.min(fitting, fair), 1, 1 << 20);
  }

  /// Returns how many workers share rows by their columns, so that each has a part of a row in
  /// memory.
  private static int sharing(OrderInput in, long bytes) {
    int columns = in.isTransformed() ? 1 : in.sources().getFirst().schema().size();
    return ColumnGroup.countOf(
        Math.ceilDiv(bytes, rows(in)), Math.min(in.atLeastOneWorker(), columns));
  }

  private static long rows(OrderInput in) {
    return 1 + files(in).stream().mapToLong(file -> file.info().rows()).sum();
  }

  private static List<TableFile> files(OrderInput in) {
    return in.sources().stream().flatMap(source -> source.table().files().stream()).toList();
  }

  private static long cachedBytes(OrderInput in) {
    return files(in).stream()
        .mapToLong(file -> file.cached().map(cached -> cached.file().bytes()).orElse(0L))
        .sum();
  }

  private static long bytesAtOnce(OrderInput in) {
    return in.memoryBytes() / PARTS / in.atLeastOneWorker();
  }

  @Override
  List<Need> counts(@Nullable SavedState state) {
    return in.isFilterExact() ? List.of() : List.of(new Need.Matches(in.sources()));
  }

  @Override
  List<Need> stores() {
    return List.of(isPiled ? new Need.Piles() : new Need.Cache(List.of(in.only().inFileOrder())));
  }

  @Override
  Sequence rows(long epoch, List<Sequence> passes, Counted counted) {
    // With piles the cache need not have the columns; else it has them by now.
    int atOnce = isPiled ? rowsAtOnce(in, Math.max(1, decoded), 1) : rowsAtOnce(in);
    return in.only()
        .inFileOrder()
        .global(counted.of(0), rows -> permuting.of(rows, in.seed(), epoch), atOnce);
  }

  @Override
  boolean isExact() {
    return true;
  }

  @Override
  long places(long epoch, Counted counted) {
    return in.only().rowsLeft(counted.of(0));
  }

  @Override
  Plan plan(Dealing dealing, long epoch, Counted counted) {
    return whole(epoch);
  }

  @Override
  boolean isPlanCounted() {
    return false;
  }

  @Override
  String name() {
    return name.toString();
  }
}
