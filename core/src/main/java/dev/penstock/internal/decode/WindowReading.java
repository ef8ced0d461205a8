package dev.penstock.internal.decode;

import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.plan.PilePlaces.Sorted;
import dev.penstock.internal.plan.RowPlaces;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.WindowOrder;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.slices.RowOrder;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.stats.Stage;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How the rows of a window are read and put in order, by its [WindowOrder].
///
/// **Threads.** One at a time.
final class WindowReading {
  /// What reads windows.
  record Means(RowSteps steps, WindowParts parts, RowOrder order, ScratchMemory scratch) {}

  final WindowRun window;
  final Means means;
  private boolean isDrawn; // of a shuffled window, the order
  private @Nullable Sorted sorted; // of a piled one, its rows

  WindowReading(WindowRun window, Means means) {
    this.window = window;
    this.means = means;
  }

  /// Makes the reader; nothing is opened yet.
  ///
  /// @param row the first place of the window to read
  /// @param isDelivered whether all rows go to batches directly, without being staged
  RowReader reader(DecodeUnit unit, long row, boolean isDelivered) throws IOException {
    return switch (window.order()) {
      case WindowOrder.Mixed mixed when !mixed.isShuffled() -> // need not all be held
          new MixedReader(
              unit, mixed, row, isDelivered, means.parts(), means.order(), means.scratch());
      case WindowOrder.Piled _ ->
          new PileWriter(
              new WindowReader(unit, 0, false, this),
              () -> Objects.requireNonNull(sorted),
              window,
              piling(),
              unit.group().schema(),
              means.scratch());
      case WindowOrder.Composed composed -> composed(composed, unit, row);
      case WindowOrder.Kept _, WindowOrder.Shuffled _, WindowOrder.Mixed _, WindowOrder.Placed _ ->
          new WindowReader(unit, row, isDelivered, this);
    };
  }

  private RowReader composed(WindowOrder.Composed composed, DecodeUnit unit, long row)
      throws IOException {
    Composing composing = Objects.requireNonNull(means.steps().composing());
    WindowRun read = window.asRead(composed);
    DecodeUnit whole = new DecodeUnit(unit.index(), read, unit.group());
    WindowReader all = new WindowReader(whole, 0, false, new WindowReading(read, means));
    return new ComposedReader(
        all, window, row, composing, composed.isShuffled(), means.steps(), means.scratch());
  }

  private Piling piling() {
    return Objects.requireNonNull(means.steps().piling());
  }

  /// Returns the rows of files that are read. It may find out their order.
  List<RowRun> rows() throws IOException {
    return window.order() instanceof WindowOrder.Placed placed
        ? StageClock.in(Stage.SHUFFLE, () -> find(placed))
        : window.parts();
  }

  private List<RowRun> find(WindowOrder.Placed placed) throws IOException {
    Piling piling = means.steps().piling();
    if (piling != null) {
      means.order().take(piling.placesOf(placed));
      return List.of(piling.rows(placed));
    }
    RowPlaces.PlacedRuns chosen =
        placed.places().choose(placed.firstPlace(), Math.toIntExact(placed.rows()));
    means.order().take(chosen.places());
    return chosen.parts();
  }

  /// Returns what reads the rows of files, one after another.
  ///
  /// @param skips receives actions that count the rows a filter left out
  List<PartReader> open(List<RowRun> rows, DecodeUnit unit, List<Runnable> skips) {
    return window.order() instanceof WindowOrder.Mixed mixed
        ? PartReader.ofSources(mixed.mixing(), rows, unit, means.parts(), skips)
        : List.of(PartReader.of(rows, unit, means.parts(), skips));
  }

  /// Begins the order, before a row is read.
  ///
  /// @param count how many rows there will be; -1 if that is not known
  void begin(int count) {
    RowSteps steps = means.steps();
    if (window.order() instanceof WindowOrder.Mixed mixed) {
      means.order().mix(mixed, steps.seed(), steps.epoch(), window.number());
    } else if (window.order() instanceof WindowOrder.Shuffled && count >= 0) {
      draw(count);
    }
  }

  long wanted(int reader) {
    return window.order() instanceof WindowOrder.Mixed
        ? means.order().sources()[reader]
        : Long.MAX_VALUE;
  }

  /// Completes the order, after so many rows were read.
  void end(int count) {
    if (isKept()) {
      means.order().keep(count);
    } else if (window.order() instanceof WindowOrder.Shuffled && !isDrawn) {
      draw(count);
    } else if (window.order() instanceof WindowOrder.Piled piled) {
      Sorted found = piling().places().sort(piled.firstNumber(), count);
      means.order().take(found.places());
      sorted = found;
    }
  }

  private void draw(int count) {
    isDrawn = true;
    means.order().draw(count, means.steps().seed(), means.steps().epoch(), window.number());
  }

  boolean isKept() {
    return window.order() instanceof WindowOrder.Kept;
  }

  /// Returns where a row is from; null if that is to be found among the rows that were read.
  @Nullable RowOrigin origin(long place) {
    if (!(window.order() instanceof WindowOrder.Placed placed)) {
      return null;
    }
    RowRun row = placed.places().at(placed.firstPlace() + place);
    return new RowOrigin(row.file().location(), row.firstRow());
  }
}
