package dev.penstock.internal.plan;

import dev.penstock.internal.plan.Sequence.FilePiece;
import dev.penstock.internal.plan.Sequence.GlobalPiece;
import dev.penstock.internal.plan.Sequence.MixPiece;
import dev.penstock.internal.plan.Sequence.Piece;
import dev.penstock.internal.plan.Sequence.WindowPiece;
import dev.penstock.internal.table.TableFile;
import dev.penstock.split.FileSplit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The order of an epoch, asked forwards and backwards: which row is at each place of a sequence,
/// and at which places rows are. Reads nothing.
///
/// A place is one of what is delivered: where a filter tests rows, sequences are to be counted by
/// its matches, see [Sequence#byMatches]. Rows that a composition or a transform makes have no
/// order that could be asked: [IllegalStateException].
///
/// **Threads.** One at a time.
public final class RowFinder {
  private final long seed;
  private final long epoch;
  private final IntFunction<@Nullable Matches> matches;
  private final RowOrder order = new RowOrder(); // of the window that was asked last

  /// A row at a place.
  public record Placed(long place, int source, TableFile file, long row) {}

  /// @param matches which rows of a source match its filter, by the source's number; null where all
  ///   do, as far as row groups are left
  public RowFinder(long seed, long epoch, IntFunction<@Nullable Matches> matches) {
    this.seed = seed;
    this.epoch = epoch;
    this.matches = matches;
  }

  // --- Forwards

  /// Gives the rows of a sequence in the order of their places. It costs about as much as they are,
  /// or the windows that they are in.
  public void rows(Sequence rows, RowSink sink) {
    for (Run run : rows.runs()) {
      if (run.behind() > 0) {
        throw made(run);
      }
      switch (run) {
        case RowRun part -> part.rows(ofPart(part), 0, count(part), sink);
        case WindowRun window -> rows(window, sink);
      }
    }
  }

  private void rows(WindowRun window, RowSink sink) {
    if (window.order() instanceof WindowOrder.Placed placed) {
      long first = placed.firstPlace() + window.firstRow();
      placed.places().rows(first, Math.toIntExact(window.rowCount()), sink);
      return;
    }
    ReadRows read = new ReadRows(window);
    draw(window, read.count());
    int[] ofPlace = order.rows();
    long end = Math.min(window.endRow(), read.count());
    for (long place = window.firstRow(); place < end; place++) {
      read.give(ofPlace[(int) place], sink);
    }
  }

  /// Draws the order of a window of which it is known how many rows it has.
  private void draw(WindowRun window, long count) {
    switch (window.order()) {
      case WindowOrder.Kept _ -> order.keep(Math.toIntExact(count));
      case WindowOrder.Shuffled _ ->
          order.draw(Math.toIntExact(count), seed, epoch, window.number());
      case WindowOrder.Mixed mixed -> order.mix(mixed, seed, epoch, window.number());
      case WindowOrder.Placed _, WindowOrder.Piled _, WindowOrder.Composed _ -> throw made(window);
    }
  }

  private static IllegalStateException made(Run run) {
    return new IllegalStateException("Only reading tells which rows are in " + run);
  }

  private @Nullable Matches ofPart(RowRun part) {
    Matches known = matches.apply(part.source());
    if (known == null && !part.rest().isAlways()) {
      throw new IllegalStateException("Nobody counted which rows match of " + part);
    }
    return known;
  }

  private long count(RowRun part) {
    return part.count(ofPart(part));
  }

  /// The rows of a window as they are read, numbered from 0: those of a mixture source by source.
  private final class ReadRows {
    private final List<RowRun> parts;
    private final long[] starts; // the first row of each part, and the end

    ReadRows(WindowRun window) {
      List<RowRun> all = window.parts();
      if (window.order() instanceof WindowOrder.Mixed) {
        all = new ArrayList<>(all);
        all.sort(Comparator.comparingInt(RowRun::source)); // stable
      }
      this.parts = all;
      this.starts = new long[all.size() + 1];
      for (int i = 0; i < all.size(); i++) {
        starts[i + 1] = starts[i] + RowFinder.this.count(all.get(i));
      }
    }

    long count() {
      return starts[parts.size()];
    }

    void give(long number, RowSink sink) {
      int part = RowRun.indexOf(starts, number);
      RowRun run = parts.get(part);
      long first = number - starts[part];
      run.rows(ofPart(run), first, first + 1, sink);
    }

    /// Finds the numbers of those that are wanted.
    List<Placed> find(ChosenRows wanted) {
      List<Placed> found = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        parts.get(i).find(ofPart(parts.get(i)), starts[i], wanted, found::add);
      }
      return found;
    }
  }

  // --- Backwards

  /// Takes the places of rows.
  public interface PlaceSink {
    void found(Placed row);
  }

  /// Returns the places at which rows are, in ascending order: more than one where the sequence has
  /// a row again, none where it does not have it.
  public long[] places(Sequence all, ChosenRows wanted) {
    return placed(all, wanted).stream().mapToLong(Placed::place).toArray();
  }

  /// Returns which of the rows are where, in the order of their places. It costs about as much as
  /// the sequence has pieces, and the windows that rows are in.
  public List<Placed> placed(Sequence all, ChosenRows wanted) {
    List<Placed> found = new ArrayList<>();
    find(all, wanted, found::add);
    found.sort(Comparator.comparingLong(Placed::place));
    return found;
  }

  private void find(Sequence all, ChosenRows wanted, PlaceSink sink) {
    List<Piece> pieces = all.pieces();
    for (int i = 0; i < pieces.size(); i++) {
      long start = all.start(i);
      switch (pieces.get(i)) {
        case FilePiece(FileSplit split, long behind) -> {
          if (behind > 0) {
            throw new IllegalStateException("Only reading tells which rows are in " + split);
          }
          all.find(split, start, wanted, sink);
        }
        case WindowPiece(WindowRun window) -> find(window, start, wanted, sink);
        case MixPiece(Mixing mixing, long from, long to) ->
            find(mixing, from, to, start, wanted, sink);
        case GlobalPiece(RowPlaces places, long from, long to) -> {
          switch (places) {
            case TablePlaces table -> table.find(from, to, start, wanted, sink);
            case MixturePlaces mixture -> find(mixture.mixing(), from, to, start, wanted, sink);
          }
        }
      }
    }
  }

  private void find(WindowRun window, long start, ChosenRows wanted, PlaceSink sink) {
    ReadRows read = new ReadRows(window);
    List<Placed> numbers = read.find(wanted);
    if (numbers.isEmpty()) {
      return;
    }
    draw(window, read.count());
    int[] places = order.places();
    for (Placed each : numbers) {
      long place = places[(int) each.place()];
      if (place >= window.firstRow() && place < window.endRow()) {
        sink.found(at(start + place - window.firstRow(), each));
      }
    }
  }

  private void find(
      Mixing mixing, long from, long to, long start, ChosenRows wanted, PlaceSink sink) {
    long[] first = mixing.before(from);
    long[] end = mixing.before(to);
    for (int source = 0; source < first.length; source++) {
      if (first[source] == end[source] || !wanted.has(source)) {
        continue;
      }
      long before = first[source];
      List<Placed> own = placed(mixing.part(source, before, end[source]), wanted);
      long[] places =
          mixing.places(source, own.stream().mapToLong(row -> before + row.place()).toArray());
      for (int i = 0; i < places.length; i++) {
        sink.found(at(start + places[i] - from, own.get(i)));
      }
    }
  }

  private static Placed at(long place, Placed row) {
    return new Placed(place, row.source(), row.file(), row.row());
  }
}
