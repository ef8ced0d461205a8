package dev.penstock.internal.order;

import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Reach;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.state.SavedState;
import dev.penstock.internal.state.StateIdentity;
import dev.penstock.split.Plan;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The rows of files: in their order, by permuted FileSplits, or in shuffle windows of a rank's
/// share.
final class FileOrder extends EpochOrder {
  private final boolean isDealtByCount;

  FileOrder(OrderInput in, Reach reach) {
    this(
        in,
        reach,
        in.isCounted() && in.rank().count() > 1 && !in.isFilterExact() && !in.changesRows());
  }

  FileOrder(OrderInput in, Reach reach, boolean isDealtByCount) {
    super(in, reach);
    this.isDealtByCount = isDealtByCount;
  }

  @Override
  List<Need> counts(@Nullable SavedState state) {
    return isDealtByCount() || (state != null && state.countsMatches())
        ? List.of(new Need.Matches(in.sources()))
        : List.of();
  }

  @Override
  boolean isDealtByCount() {
    return isDealtByCount;
  }

  @Override
  Sequence rows(long epoch, List<Sequence> passes, Counted counted) {
    return passes.getFirst();
  }

  @Override
  Sequence numbered(Sequence rows, Dealing dealing, long epoch, Counted counted) {
    return rows.byMatches(dealing.byMatches() ? matches(counted) : null);
  }

  @Override
  Sequence delivered(Sequence rows, Counted counted) {
    return rows.byMatches(counted.of(0));
  }

  @Override
  Sequence delivered(Sequence share, long from, long to, Counted counted) {
    return reach().isInWindows() && in.isFilterExact() && counted.of(0) == null
        ? share.windowed(reach().windowRows(), from, to)
        : super.delivered(share, from, to, counted);
  }

  /// Leaves out where files are cut if the order does not follow from it.
  @Override
  StateIdentity identity(List<Sequence> passes) {
    boolean isCut = reach().isPermuted() || in.changesRows();
    return super.identity(isCut ? passes : List.of(passes.getFirst().joined()));
  }

  @Override
  List<List<Run>> runs(Sequence share, long epoch, @Nullable SavedState state) {
    return List.of(in.only().runs(share, in.options().transformation().rows()));
  }

  private static Matches matches(Counted counted) {
    return Objects.requireNonNull(counted.of(0));
  }

  @Override
  Sequence ordered(Sequence share) {
    return reach().isInWindows() ? share.windowed(reach().windowRows()) : share;
  }

  @Override
  boolean isExact() {
    return !in.changesRows() && in.isFilterExact();
  }

  @Override
  long places(long epoch, Counted counted) {
    return in.only().rowsLeft(isDealtByCount() ? matches(counted) : null);
  }

  @Override
  Plan plan(Dealing dealing, long epoch, Counted counted) {
    Plan whole = whole(epoch);
    if (in.rank().count() == 1) {
      return whole;
    }
    Sequence all = numbered(in.only().sequence(whole.sequence()), dealing, epoch, counted);
    return plan(epoch, dealing.share(all, in.rank().index()).splits(), List.of());
  }
}
