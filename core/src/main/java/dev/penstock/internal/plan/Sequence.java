package dev.penstock.internal.plan;

import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.split.FileSplit;
import dev.penstock.split.RankEnd;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The rows of an epoch in delivery order: FileSplits, without the row groups in which no row
/// matches the filter.
///
/// A row's number counts all rows before it that may match, so it is known before anything is read.
/// Where the matches were counted, it may count only these, see [#byMatches].
///
/// It is one file because whatever is done with a sequence is done with each kind of its pieces.
///
/// Immutable.
public final class Sequence {
  private static final long GROUPS = Long.MAX_VALUE; // no window has this number

  /// Some rows in their place.
  sealed interface Piece {}

  /// Rows of a file.
  ///
  /// @param behind how many rows of the transform result are left out; if some are, the piece is
  ///   one block of the transform
  record FilePiece(FileSplit split, long behind) implements Piece {}

  /// Rows of a shuffle window, in their random order.
  record WindowPiece(WindowRun run) implements Piece {}

  /// Rows of a mixture.
  record MixPiece(Mixing mixing, long from, long to) implements Piece {}

  /// Rows in an order of their own.
  record GlobalPiece(RowPlaces order, long from, long to) implements Piece {}

  /// The files of the dataset with a number, and what the filter leaves of them.
  private record Files(int source, Map<Location, TableFile> byLocation, Pruning pruning) {}

  private final @Nullable Files files; // null for a mixture, whose rows are those of others
  private final @Nullable Matches matches; // if not null, rows are counted by these
  private final List<Piece> pieces;
  private final long[] ends;

  private Sequence(@Nullable Files files, @Nullable Matches matches, List<Piece> pieces) {
    this.files = files;
    this.matches = matches;
    this.pieces = List.copyOf(pieces);
    this.ends = new long[pieces.size()];
    long end = 0;
    for (int i = 0; i < ends.length; i++) {
      end += rows(pieces.get(i));
      ends[i] = end;
    }
  }

  /// Makes the sequence of FileSplits, in order.
  public static Sequence of(List<FileSplit> splits, Table table, Pruning pruning) {
    return of(0, splits, table, pruning);
  }

  /// The same for one of several datasets, see [RowRun].
  public static Sequence of(int source, List<FileSplit> splits, Table table, Pruning pruning) {
    return new Sequence(
        new Files(source, table.byLocation(), pruning),
        null,
        splits.stream().<Piece>map(split -> new FilePiece(split, 0)).toList());
  }

  private Files files() {
    return Objects.requireNonNull(files);
  }

  private TableFile file(FileSplit split) {
    TableFile file = files().byLocation().get(split.file().location());
    if (file == null) {
      throw new IllegalStateException("No file for " + split);
    }
    return file;
  }

  /// Returns the rows of a FileSplit that may match.
  private List<RowRange> wanted(FileSplit split) {
    Pruning pruning = files().pruning();
    if (pruning.keepsAll()) { // without looking for the file: there may be millions
      return split.rows() == 0 ? List.of() : List.of(new RowRange(split.firstRow(), split.rows()));
    }
    return pruning.left(file(split), split.firstRow(), split.endRow());
  }

  private long wantedRows(FileSplit split) {
    long rows = 0;
    for (RowRange range : wanted(split)) {
      rows += range.length();
    }
    return rows;
  }

  /// Returns the same rows, counted by matches; null counts all that may match.
  public Sequence byMatches(@Nullable Matches counted) {
    return counted == matches ? this : new Sequence(files, counted, pieces);
  }

  public static Sequence of(Mixing mixing) {
    List<Piece> all =
        mixing.rows() == 0 ? List.of() : List.of(new MixPiece(mixing, 0, mixing.rows()));
    return new Sequence(null, null, all);
  }

  /// Returns the same rows in an order in which each may come at any place. For a sequence in file
  /// order.
  ///
  /// @param counted which of the rows match; null if all do
  /// @param permutation permutes the rows that match
  public Sequence global(
      @Nullable Matches counted, LongFunction<RowPermutation> permutation, int atOnce) {
    List<RowRun> groups = rowGroups(false, 0);
    long count =
        groups.stream()
            .mapToLong(group -> counted == null ? group.rowCount() : counted.of(group))
            .sum();
    RowPlaces order = new TablePlaces(groups, counted, permutation.apply(count), atOnce);
    return of(count == 0 ? List.of() : List.of(new GlobalPiece(order, 0, count)));
  }

  /// Returns the rows of a mixture, where each may come at any place of its source: passes over its
  /// sources are in such an order, see the other method.
  public static Sequence global(Mixing mixing, int atOnce) {
    List<Piece> all =
        mixing.rows() == 0
            ? List.of()
            : List.of(new GlobalPiece(new MixturePlaces(mixing, atOnce), 0, mixing.rows()));
    return new Sequence(null, null, all);
  }

  private Sequence of(List<Piece> parts) {
    return new Sequence(files, matches, parts);
  }

  /// Returns how many rows there are, counted by possible or by actual matches.
  public long rows() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  List<Piece> pieces() {
    return pieces;
  }

  /// Returns the number of the first row of a piece.
  long start(int piece) {
    return piece == 0 ? 0 : ends[piece - 1];
  }

  /// Finds the numbers of rows in a FileSplit of this whose first row has a number.
  void find(FileSplit split, long start, ChosenRows wanted, RowFinder.PlaceSink sink) {
    int source = files().source();
    if (wanted.of(source, split.file().location()).length == 0) {
      return; // without looking for the file: there may be millions
    }
    TableFile file = file(split);
    List<RowRun> groups = new ArrayList<>();
    RowRun.addGroups(split, source, file, files().pruning(), groups);
    long before = start;
    for (RowRun group : groups) {
      group.find(matches, before, wanted, sink);
      before += group.count(matches);
    }
  }

  /// Returns rows `[from, to)`.
  public Sequence slice(long from, long to) {
    if (from < 0 || from > to || to > rows()) {
      throw new IndexOutOfBoundsException(
          "Rows [" + from + ", " + to + ") of a sequence of " + rows());
    }
    List<Piece> parts = new ArrayList<>();
    int found = Arrays.binarySearch(ends, from);
    for (int i = found < 0 ? -found - 1 : found; i < ends.length; i++) {
      Piece piece = pieces.get(i);
      long start = start(i);
      if (start >= to) {
        break;
      }
      long first = Math.max(from, start) - start;
      long last = Math.min(to, ends[i]) - start;
      if (isUncut(piece)) {
        if (first == 0) {
          parts.add(piece);
        }
      } else if (first < last) {
        parts.add(first == 0 && last == ends[i] - start ? piece : cut(piece, first, last));
      }
    }
    return of(parts);
  }

  /// Returns whether a piece is a block of a transform, or a composed window.
  private static boolean isUncut(Piece piece) {
    return switch (piece) {
      case FilePiece(FileSplit _, long behind) -> behind > 0;
      case WindowPiece(WindowRun run) -> run.order().isUncut();
      case MixPiece _, GlobalPiece _ -> false;
    };
  }

  private Piece cut(Piece piece, long first, long last) {
    return switch (piece) {
      case FilePiece(FileSplit split, long _) -> new FilePiece(cut(split, first, last), 0);
      case WindowPiece(WindowRun run) -> new WindowPiece(run.slice(first, last));
      case MixPiece(Mixing mixing, long from, long _) ->
          new MixPiece(mixing, from + first, from + last);
      case GlobalPiece(RowPlaces order, long from, long _) ->
          new GlobalPiece(order, from + first, from + last);
    };
  }

  private long rows(Piece piece) {
    Matches counted = matches;
    return switch (piece) {
      case FilePiece(FileSplit split, long _) ->
          counted == null
              ? wantedRows(split)
              : counted.before(file(split), split.endRow())
                  - counted.before(file(split), split.firstRow());
      case MixPiece(Mixing _, long from, long to) -> to - from;
      case GlobalPiece(RowPlaces _, long from, long to) -> to - from;
      case WindowPiece(WindowRun run) ->
          counted == null || run.isCounted()
              ? run.rowCount()
              // The matches have the first places.
              : Math.clamp(
                  run.parts().stream().mapToLong(counted::of).sum() - run.firstRow(),
                  0,
                  run.rowCount());
    };
  }

  /// Returns rows `[first, last)` of a FileSplit, counted by possible or by actual matches.
  private FileSplit cut(FileSplit split, long first, long last) {
    if (matches != null) {
      long before = matches.before(file(split), split.firstRow());
      long from = matches.row(file(split), before + first);
      long to = matches.row(file(split), before + last - 1) + 1;
      return rows(split, from, to);
    }
    long offset = 0;
    long start = -1;
    for (RowRange range : wanted(split)) {
      if (start < 0 && first < offset + range.length()) {
        start = range.offset() + first - offset;
      }
      if (last <= offset + range.length()) {
        long end = range.offset() + last - offset;
        return rows(split, start, end);
      }
      offset += range.length();
    }
    throw new IllegalStateException("No row " + last + " in " + split);
  }

  /// Returns the rows after a position; none if it is behind the end.
  ///
  /// @param blockRows the rows of a transform's block, see [TableFile#blockEnd]
  public Sequence from(Position position, int blockRows) {
    Sequence rest = slice(Math.min(position.rows(), rows()), rows());
    if (position.behind() == 0 || rest.pieces.isEmpty()) {
      return rest;
    }
    List<Piece> parts = new ArrayList<>();
    switch (rest.pieces.getFirst()) {
      case FilePiece(FileSplit split, long _) -> {
        long first = wanted(split).getFirst().offset(); // row groups before it have no run
        long end = Math.min(file(split).blockEnd(first, blockRows), split.endRow());
        parts.add(new FilePiece(rows(split, first, end), position.behind()));
        if (end < split.endRow()) {
          parts.add(new FilePiece(rows(split, end, split.endRow()), 0));
        }
      }
      case WindowPiece(WindowRun run) -> parts.add(new WindowPiece(run.behind(position.behind())));
      case MixPiece _, GlobalPiece _ ->
          throw new IllegalStateException("A row of this sequence is one row.");
    }
    parts.addAll(rest.pieces.subList(1, rest.pieces.size()));
    return of(parts);
  }

  private static FileSplit rows(FileSplit split, long from, long to) {
    return FileSplit.of(split.file(), from, to - from);
  }

  /// Returns the same rows in shuffle windows. A sequence that is already in windows, dealt anew on
  /// resume, keeps them.
  ///
  /// @param rows the rows of a window, always counted by possible matches; the last one may have
  ///   fewer
  public Sequence windowed(int rows) {
    return isInWindows() ? this : windows(rows, 0, Long.MAX_VALUE);
  }

  /// Returns rows `[from, to)` of [#windowed(int)], without making the windows that have none of
  /// them. For a sequence that is counted by possible matches, or a mixture.
  public Sequence windowed(int rows, long from, long to) {
    if (isInWindows()) {
      return slice(from, to);
    }
    Sequence windows = windows(rows, from, to);
    long before = from; // in the first of these windows
    for (Piece piece : pieces) {
      long piecesRows = piece instanceof MixPiece(Mixing _, long first, long end) ? end - first : 0;
      if (piecesRows == 0 || before < piecesRows) {
        break;
      }
      before -= piecesRows;
    }
    before %= rows;
    return windows.slice(before, before + to - from);
  }

  /// Makes the windows that have some of the rows `[first, end)`.
  private Sequence windows(int rows, long first, long end) {
    if (pieces.stream().anyMatch(MixPiece.class::isInstance)) {
      return mixedWindows(rows, true, first, end);
    }
    Sequence all = byMatches(null);
    List<Piece> windows = new ArrayList<>();
    for (long from = first / rows * rows; from < Math.min(end, all.rows()); from += rows) {
      long to = Math.min(from + rows, all.rows());
      List<RowRun> parts = partsOf(all.slice(from, to));
      windows.add(
          new WindowPiece(WindowRun.of(parts, new WindowOrder.Shuffled(), from / rows, to - from)));
    }
    return of(windows);
  }

  private boolean isInWindows() {
    return pieces.stream().anyMatch(WindowPiece.class::isInstance);
  }

  /// Returns a mixture's rows in windows that are composed. A sequence that is already in windows,
  /// dealt anew on resume, keeps them.
  ///
  /// @param rows the rows of a window; the last one may have fewer
  /// @param isShuffled whether the rows of a window are put in random order first
  public Sequence composed(int rows, boolean isShuffled) {
    return isInWindows()
        ? this
        : mapped(mixedWindows(rows, isShuffled, 0, Long.MAX_VALUE), run -> run.composed(false));
  }

  /// Returns the same rows in windows to compose that are the same in each epoch: as many whole row
  /// groups as fit; one that is larger is cut. For a sequence that is not in windows.
  ///
  /// @param rows the most rows of a window
  /// @param isMixed whether row groups come from random places, by the seed
  /// @param isShuffled whether the rows of a window are put in random order first
  public Sequence inFixedWindows(int rows, boolean isMixed, boolean isShuffled, long seed) {
    return in(FixedWindows.of(rowGroups(isMixed, seed), rows, isShuffled));
  }

  private List<RowRun> rowGroups(boolean isMixed, long seed) {
    List<RowRun> groups = new ArrayList<>();
    for (FileSplit split : splits()) {
      RowRun.addGroups(split, files().source(), file(split), files().pruning(), groups);
    }
    if (!isMixed) {
      return groups;
    }
    int[] order = new int[groups.size()];
    Permutation.fill(order, order.length, seed, 0, GROUPS);
    return Arrays.stream(order).mapToObj(groups::get).toList();
  }

  /// Returns the same rows in windows to compose that begin at given rows. For a sequence that is
  /// not in windows.
  ///
  /// @param starts in ascending order, the first at row 0; none for no rows
  public Sequence inWindowsFrom(List<FixedWindows.Start> starts, boolean isShuffled) {
    return in(FixedWindows.from(this, starts, isShuffled));
  }

  private Sequence in(List<WindowRun> windows) {
    return of(windows.stream().<Piece>map(WindowPiece::new).toList());
  }

  /// Returns whether the rows of the first window are shuffled before they are composed; false also
  /// without windows.
  public boolean isShuffled() {
    return !pieces.isEmpty()
        && pieces.getFirst() instanceof WindowPiece(WindowRun run)
        && run.order().isShuffledBefore();
  }

  /// Returns the same windows in another order, see [Permutation]; those of one row group stay
  /// together.
  public Sequence permuted(long seed, long epoch) {
    List<List<Piece>> together = new ArrayList<>();
    boolean goesOn = false;
    for (Piece piece : pieces) {
      if (!goesOn) {
        together.add(new ArrayList<>());
      }
      together.getLast().add(piece);
      goesOn = piece instanceof WindowPiece(WindowRun run) && run.goesOn();
    }
    List<Piece> permuted = new ArrayList<>();
    for (int i : Permutation.of(together.size(), seed, epoch)) {
      permuted.addAll(together.get(i));
    }
    return of(permuted);
  }

  /// Returns composed windows with a place for each thing that is made of them; those of which
  /// nothing is made are left out.
  public Sequence counted(WindowCounts counts) {
    return mapped(this, run -> run.counted(counts));
  }

  /// Returns the rows of a mixture in an order of which each rank is dealt its part of the rows of
  /// each stage of the weights, so that at each step all ranks have the same weights.
  public Sequence byStages(Dealing dealing) {
    List<Sequence> stages = stages();
    if (stages.size() < 2) {
      return this;
    }
    List<List<Sequence>> ofRanks = new ArrayList<>();
    for (int rank = 0; rank < dealing.world(); rank++) {
      ofRanks.add(new ArrayList<>());
    }
    int first = 0; // the rank whose turn it is to have a row more
    for (Sequence stage : stages) {
      long each = stage.rows() / dealing.world();
      int more = (int) (stage.rows() % dealing.world());
      long from = 0;
      for (int rank = 0; rank < dealing.world(); rank++) {
        boolean hasMore = Math.floorMod(rank - first, dealing.world()) < more;
        long to = from + each + (hasMore ? 1 : 0);
        ofRanks.get(rank).add(stage.slice(from, to));
        from = to;
      }
      first = (first + more) % dealing.world();
    }
    List<Sequence> dealt = ofRanks.stream().map(slice(0, 0)::then).toList();
    if (dealing.end() != RankEnd.DROP) {
      return slice(0, 0).then(dealt);
    }
    long least = rows() / dealing.world(); // the rows that others have more are left out
    List<Sequence> kept = new ArrayList<>();
    dealt.forEach(each -> kept.add(each.slice(0, least)));
    dealt.forEach(each -> kept.add(each.slice(least, each.rows())));
    return slice(0, 0).then(kept);
  }

  /// Returns the rows of each stage of the weights that has some.
  private List<Sequence> stages() {
    Map<Integer, List<Piece>> stages = new TreeMap<>();
    for (Piece piece : pieces) {
      Mixing mixing = mixing(piece);
      long first = firstOfMixture(piece);
      long rows = piece instanceof WindowPiece ? 1 : rows(piece); // one window has one stage
      for (long row = first; row < first + rows; ) {
        long end = Math.min(first + rows, mixing.stageEnd(row));
        Piece part = piece instanceof WindowPiece ? piece : cut(piece, row - first, end - first);
        stages.computeIfAbsent(mixing.stage(row), _ -> new ArrayList<>()).add(part);
        row = end;
      }
    }
    return stages.values().stream().map(this::of).toList();
  }

  private static Mixing mixing(Piece piece) {
    return switch (piece) {
      case MixPiece(Mixing mixing, long _, long _) -> mixing;
      case WindowPiece(WindowRun run) -> Objects.requireNonNull(run.order().mixed()).mixing();
      case GlobalPiece(RowPlaces order, long _, long _) -> ((MixturePlaces) order).mixing();
      case FilePiece _ -> throw new IllegalStateException(piece + " is of no mixture");
    };
  }

  /// Returns the row of the mixture at the first place of a piece.
  private static long firstOfMixture(Piece piece) {
    return switch (piece) {
      case MixPiece(Mixing _, long from, long _) -> from;
      case WindowPiece(WindowRun run) ->
          Objects.requireNonNull(run.order().mixed()).firstRow() + run.firstRow();
      case GlobalPiece(RowPlaces _, long from, long _) -> from;
      case FilePiece _ -> throw new IllegalStateException(piece + " is of no mixture");
    };
  }

  /// Returns the same counted windows, each of which knows its steps.
  public Sequence inStepsOf(Dealing dealing) {
    List<Piece> placed = new ArrayList<>();
    for (int i = 0; i < ends.length; i++) {
      WindowRun run = ((WindowPiece) pieces.get(i)).run(); // all pieces are windows
      placed.add(new WindowPiece(run.in(dealing, rows(), start(i))));
    }
    return of(placed);
  }

  private static Sequence mapped(Sequence windows, UnaryOperator<WindowRun> change) {
    List<Piece> changed = new ArrayList<>();
    for (Piece piece : windows.pieces) {
      WindowRun run = change.apply(((WindowPiece) piece).run()); // all pieces are windows
      if (run.rowCount() > 0) {
        changed.add(new WindowPiece(run));
      }
    }
    return windows.of(changed);
  }

  private Sequence mixedWindows(int rows, boolean isShuffled, long first, long end) {
    List<Piece> windows = new ArrayList<>();
    long number = 0;
    long place = 0;
    for (Piece piece : pieces) {
      MixPiece mix = (MixPiece) piece; // all are
      for (long from = mix.from(); from < mix.to(); from += rows) {
        long to = Math.min(from + rows, mix.to());
        if (place < end && place + to - from > first) {
          windows.add(new WindowPiece(mix.mixing().run(from, to, number, isShuffled)));
        }
        place += to - from;
        number++;
      }
    }
    return of(windows);
  }

  static List<RowRun> partsOf(Sequence window) {
    return window.runs().stream().flatMap(run -> run.parts().stream()).toList();
  }

  /// Returns the same rows of files in as few FileSplits as their order allows.
  public Sequence joined() {
    List<FileSplit> joined = new ArrayList<>();
    for (FileSplit split : splits()) {
      FileSplit last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && last.file().equals(split.file()) && last.endRow() == split.firstRow()) {
        joined.removeLast();
        joined.add(new FileSplit(split.file(), last.firstRow(), last.rows() + split.rows()));
      } else {
        joined.add(split);
      }
    }
    return of(joined.stream().<Piece>map(split -> new FilePiece(split, 0)).toList());
  }

  /// Returns the same without some rows.
  ///
  /// @param finder finds rows that are not in the order of their files
  public Sequence without(ChosenRows rows, RowFinder finder) {
    List<Piece> left = new ArrayList<>();
    for (Piece piece : pieces) {
      if (piece instanceof FilePiece(FileSplit split, long behind)) {
        List<FileSplit> parts = rows.cut(files().source(), split);
        if (parts.equals(List.of(split))) {
          left.add(piece);
        } else if (behind > 0) {
          throw new IllegalStateException("Only reading tells which rows are in " + split);
        } else {
          parts.forEach(part -> left.add(new FilePiece(part, 0)));
        }
      } else {
        Sequence one = of(List.of(piece));
        long from = 0;
        for (long place : finder.places(one, rows)) {
          left.addAll(one.slice(from, place).pieces);
          from = place + 1;
        }
        left.addAll(from == 0 ? List.of(piece) : one.slice(from, one.rows()).pieces);
      }
    }
    return of(left);
  }

  public Sequence then(Sequence other) {
    return then(List.of(other));
  }

  Sequence then(List<Sequence> others) {
    List<Piece> parts = new ArrayList<>(pieces);
    others.forEach(other -> parts.addAll(other.pieces));
    return of(parts);
  }

  /// Returns the FileSplits of a sequence that is not in windows.
  public List<FileSplit> splits() {
    List<FileSplit> splits = new ArrayList<>();
    for (Piece piece : pieces) {
      switch (piece) {
        case FilePiece(FileSplit split, long _) -> splits.add(split);
        case MixPiece(Mixing mixing, long from, long to) ->
            mixing.parts(from, to).forEach(part -> splits.addAll(part.splits()));
        case WindowPiece _, GlobalPiece _ -> {}
      }
    }
    return splits;
  }

  public List<Run> runs() {
    return runs(RowRun.ROWS_MIN);
  }

  /// Returns what is decoded.
  ///
  /// @param rowsMin row groups of a file are joined until a run has this many rows
  List<Run> runs(int rowsMin) {
    List<Run> runs = new ArrayList<>();
    for (Piece piece : pieces) {
      switch (piece) {
        case FilePiece(FileSplit split, long behind) ->
            RowRun.cut(
                split, behind, files().source(), file(split), files().pruning(), rowsMin, runs);
        case WindowPiece(WindowRun run) -> runs.add(run);
        case MixPiece(Mixing mixing, long from, long to) -> mixing.cut(from, to, runs);
        case GlobalPiece(RowPlaces order, long from, long to) -> order.cut(from, to, runs);
      }
    }
    return runs;
  }
}
