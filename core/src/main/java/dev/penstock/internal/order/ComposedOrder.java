package dev.penstock.internal.order;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.Balanced;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Groups;
import dev.penstock.compose.Packs;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.compose.ComposedWindows;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Reach;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.state.SavedState;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a composition makes of windows of the files, which are the same in each epoch and world and
/// come in another order.
final class ComposedOrder extends EpochOrder {
  private final Composition composition;

  private ComposedOrder(OrderInput in, Reach reach) {
    super(in, reach);
    this.composition = in.composition().orElseThrow();
  }

  static ComposedOrder of(OrderInput in, Reach reach) {
    requireComposable(in);
    return new ComposedOrder(in, reach);
  }

  static void requireComposable(OrderInput in) {
    requireDropsNothing(in);
    if (in.composition().filter(Composing::isOfGroups).isPresent() && in.isTransformed()) {
      throw new IllegalArgumentException(
          "Cannot make "
              + in.composition().get()
              + " of what a transform makes: it may change rows and keys. Leave out the transform.");
    }
  }

  static void requireDropsNothing(OrderInput in) {
    if (in.isCut() && in.options().batching().dropLast()) {
      throw Advice.argumentError(
          "Cannot leave out the last batch: with %s, batches have different numbers of rows, and"
              + " rows of every window would be lost. Leave out %s.",
          in.composition().orElseThrow(), Remedy.call("dropLast", "true"));
    }
  }

  /// Returns whether windows cannot be known without reading what decides the composition.
  static boolean isAlwaysCounted(Composition how) {
    return switch (how) {
      case Balanced _, Groups _, SlidingWindows _, WeightedDraws _ -> true;
      case Buckets _, Packs _ -> how.isBalanced(); // its steps have numbers
    };
  }

  @Override
  List<Need> counts(@Nullable SavedState state) {
    return !isKnown() && (isDealtByCount() || (state != null && state.countsMatches()))
        ? List.of(new Need.Windows(in.only(), in.only().inFileOrder(), windows()))
        : List.of();
  }

  @Override
  boolean isDealtByCount() {
    return isAlwaysCounted(composition) || in.isCounted();
  }

  @Override
  boolean isCountable() {
    return true;
  }

  /// Returns whether the rows of windows tell how much is made of them.
  private boolean isKnown() {
    return composition instanceof Balanced && in.isFilterExact() && !in.changesRows();
  }

  private ComposedWindows windows(Counted counted) {
    return isKnown()
        ? ComposedWindows.ofRows(windows())
        : Objects.requireNonNull(counted.windows());
  }

  private Sequence windows() {
    boolean isMixed = reach().interleave() > 1 && !Composing.isOfGroups(composition);
    int unshuffled = composition instanceof Balanced ? Balanced.ROWS : Composition.ROWS;
    int rows = reach().isInWindows() ? reach().windowRows() : unshuffled;
    return in.only().inFileOrder().inFixedWindows(rows, isMixed, reach().isInWindows(), in.seed());
  }

  @Override
  Sequence rows(long epoch, List<Sequence> passes, Counted counted) {
    ComposedWindows known = isKnown() ? null : counted.windows();
    Sequence windows = known == null ? windows() : known.windows();
    return reach().isPermuted() ? windows.permuted(in.seed(), epoch) : windows;
  }

  @Override
  Sequence numbered(Sequence rows, Dealing dealing, long epoch, Counted counted) {
    if (!dealing.byMatches()) {
      return rows;
    }
    Sequence made = made(rows, epoch, counted);
    return composition.isBalanced() ? made.inStepsOf(dealing) : made;
  }

  private Sequence made(Sequence windows, long epoch, Counted counted) {
    return windows.counted(windows(counted).made().counts(in.seed(), epoch));
  }

  @Override
  String maker() {
    return "composition";
  }

  @Override
  boolean acceptsCounted() {
    return true;
  }

  @Override
  boolean isExact() {
    return false;
  }

  @Override
  boolean notesDelivered() {
    return false;
  }

  @Override
  long places(long epoch, Counted counted) {
    return made(windows(counted).windows(), epoch, counted).rows();
  }

  @Override
  Plan plan(Dealing dealing, long epoch, Counted counted) {
    if (!isDealtByCount() || in.rank().count() == 1) {
      return new FileOrder(in, reach()).plan(dealing, epoch, counted);
    }
    Sequence made = made(rows(epoch, List.of(), counted), epoch, counted);
    List<FileSplit> read = new ArrayList<>();
    for (Run run : dealing.share(made, in.rank().index()).runs()) {
      for (RowRun part : run.parts()) {
        read.add(FileSplit.of(part.file().info(), part.firstRow(), part.rowCount()));
      }
    }
    return plan(epoch, read, List.of());
  }
}
