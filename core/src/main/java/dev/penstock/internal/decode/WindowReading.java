package dev.penstock.internal.decode;

import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.plan.PilePlaces.Sorted;
import dev.penstock.internal.plan.RowOrder;
import dev.penstock.internal.plan.RowPlaces;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.WindowOrder;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.stats.Stage;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How the rows of a window are read and put in order: a class for each kind of [WindowOrder].
///
/// **Threads.** One at a time.
abstract class WindowReading {
  /// What reads windows.
  ///
  /// @param order is filled with the order of a window's rows
  record Means(RowSteps steps, WindowParts parts, RowOrder order, ScratchMemory scratch) {}

  final WindowRun window;
  final Means means;

  private WindowReading(WindowRun window, Means means) {
    this.window = window;
    this.means = means;
  }

  /// Chooses how a window is read; only here is asked what is done with it.
  static WindowReading of(WindowRun window, Means means) {
    return switch (window.order()) {
      case WindowOrder.Kept _ -> new Kept(window, means);
      case WindowOrder.Shuffled _ -> new Shuffled(window, means);
      case WindowOrder.Mixed mixed -> new Mixed(window, means, mixed);
      case WindowOrder.Placed placed -> new Placed(window, means, placed);
      case WindowOrder.Piled piled -> new Piled(window, means, piled);
      case WindowOrder.Composed composed -> new Composed(window, means, composed);
    };
  }

  /// Makes the reader; nothing is opened yet.
  ///
  /// @param unit the window and the columns to decode
  /// @param row the first place of the window to read
  /// @param isDelivered whether all rows go to batches directly, without being staged
  RowReader reader(DecodeUnit unit, long row, boolean isDelivered) throws IOException {
    return new WindowReader(unit, row, isDelivered, this);
  }

  /// Returns the rows of files that are read. It may find out their order.
  List<RowRun> rows() throws IOException {
    return window.parts();
  }

  /// Opens the rows of files.
  ///
  /// @param rows what [#rows] returned
  /// @param skips receives actions that count the rows a filter left out
  /// @return what reads them, one after another
  List<PartReader> open(List<RowRun> rows, DecodeUnit unit, List<Runnable> skips) {
    return List.of(PartReader.of(rows, unit, means.parts(), skips));
  }

  /// Begins the order, before a row is read.
  ///
  /// @param count how many rows there will be; -1 if that is not known
  void begin(int count) {}

  /// Returns how many rows of one of the readers are read.
  long wanted(int reader) {
    return Long.MAX_VALUE;
  }

  /// Completes the order.
  ///
  /// @param count how many rows were read
  void end(int count) {}

  /// Returns whether rows stay as they were read.
  boolean isKept() {
    return false;
  }

  /// Returns the row at a place; null if it is to be found among the rows that were read.
  @Nullable RowRun row(long place) {
    return null;
  }

  private static final class Kept extends WindowReading {
    Kept(WindowRun window, Means means) {
      super(window, means);
    }

    @Override
    void end(int count) {
      means.order().keep(count);
    }

    @Override
    boolean isKept() {
      return true;
    }
  }

  private static final class Shuffled extends WindowReading {
    private boolean isDrawn;

    Shuffled(WindowRun window, Means means) {
      super(window, means);
    }

    @Override
    void begin(int count) {
      if (count >= 0) {
        draw(count);
      }
    }

    @Override
    void end(int count) {
      if (!isDrawn) {
        draw(count);
      }
    }

    private void draw(int count) {
      isDrawn = true;
      means.order().draw(count, means.steps().seed(), means.steps().epoch(), window.number());
    }
  }

  private static final class Mixed extends WindowReading {
    private final WindowOrder.Mixed mixed;

    Mixed(WindowRun window, Means means, WindowOrder.Mixed mixed) {
      super(window, means);
      this.mixed = mixed;
    }

    /// Rows that keep their order need not all be held.
    @Override
    RowReader reader(DecodeUnit unit, long row, boolean isDelivered) throws IOException {
      return mixed.isShuffled()
          ? super.reader(unit, row, isDelivered)
          : new MixedReader(
              unit, mixed, row, isDelivered, means.parts(), means.order(), means.scratch());
    }

    @Override
    List<PartReader> open(List<RowRun> rows, DecodeUnit unit, List<Runnable> skips) {
      return PartReader.ofSources(mixed.mixing(), rows, unit, means.parts());
    }

    @Override
    void begin(int count) {
      means.order().mix(mixed, means.steps().seed(), means.steps().epoch(), window.number());
    }

    @Override
    long wanted(int reader) {
      return means.order().sources()[reader];
    }
  }

  private static final class Placed extends WindowReading {
    private final WindowOrder.Placed placed;

    Placed(WindowRun window, Means means, WindowOrder.Placed placed) {
      super(window, means);
      this.placed = placed;
    }

    @Override
    List<RowRun> rows() throws IOException {
      return StageClock.in(Stage.SHUFFLE, this::find);
    }

    private List<RowRun> find() throws IOException {
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

    @Override
    RowRun row(long place) {
      return placed.places().at(placed.firstPlace() + place);
    }
  }

  private static final class Piled extends WindowReading {
    private final WindowOrder.Piled piled;
    private final Piling piling;
    private @Nullable Sorted sorted;

    Piled(WindowRun window, Means means, WindowOrder.Piled piled) {
      super(window, means);
      this.piled = piled;
      this.piling = Objects.requireNonNull(means.steps().piling());
    }

    @Override
    RowReader reader(DecodeUnit unit, long row, boolean isDelivered) throws IOException {
      WindowReader all = new WindowReader(unit, 0, false, this);
      return new PileWriter(
          all,
          () -> Objects.requireNonNull(sorted),
          window,
          piling,
          unit.group().schema(),
          means.scratch());
    }

    @Override
    void end(int count) {
      Sorted found = piling.places().sort(piled.firstNumber(), count);
      means.order().take(found.places());
      sorted = found;
    }
  }

  private static final class Composed extends WindowReading {
    private final WindowOrder.Composed composed;

    Composed(WindowRun window, Means means, WindowOrder.Composed composed) {
      super(window, means);
      this.composed = composed;
    }

    @Override
    RowReader reader(DecodeUnit unit, long row, boolean isDelivered) throws IOException {
      Composing composing = Objects.requireNonNull(means.steps().composing());
      WindowRun read = window.asRead(composed);
      DecodeUnit whole = new DecodeUnit(unit.index(), read, unit.group());
      WindowReader all = new WindowReader(whole, 0, false, WindowReading.of(read, means));
      return new ComposedReader(
          all, window, row, composing, composed, means.steps(), means.scratch());
    }
  }
}
