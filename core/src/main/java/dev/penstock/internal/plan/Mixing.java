package dev.penstock.internal.plan;

import dev.penstock.internal.choice.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// An epoch of a mixture: which row of which dataset is at which place.
///
/// How many rows of a block are from which source is said by [Shares]; which of its places they
/// have is random by seed, epoch and block. The rows of a source come in the order of its own
/// sequence, one pass after another. Where an epoch does not have whole passes, the next one goes
/// on where it stopped.
///
/// **Threads.** Any.
public final class Mixing {
  private static final long SEED = 0x6d69_7869_6e67L; // apart from the orders of windows

  /// How many row groups a run has of the source whose row groups last for the fewest rows of the
  /// mixture. A run that ends within a row group may leave the next run to decompress it again, so
  /// runs are long.
  private static final long RUN_GROUPS = 4;

  private static final long PASSES_MAX = 1_000_000; // each pass takes a place in the plan
  private static final long RUN_ROWS_MIN = 16 << 10;

  private static final long RUN_ROWS_MAX = 256 << 10;

  /// A dataset of a mixture.
  ///
  /// @param rows the rows of a pass, at least 1
  /// @param groupRows the mean of the rows of its row groups, at least 1
  /// @param matches which of the rows match its filter; null where all do
  public record Source(
      long rows, long groupRows, @Nullable Matches matches, LongFunction<Sequence> passes) {}

  private final Shares shares;
  private final List<Source> sources;
  private final long seed;
  private final long epoch;
  private final Map<Integer, Pass> open = new HashMap<>(); // the last pass of each source

  private record Pass(long number, Sequence rows) {}

  Mixing(Shares shares, List<Source> sources, long seed, long epoch) {
    this.shares = shares;
    this.sources = List.copyOf(sources);
    this.seed = seed ^ SEED;
    this.epoch = epoch;
  }

  /// Makes the mixture of an epoch.
  ///
  /// @throws IllegalArgumentException if a source is read more often in it than can be planned
  public static Mixing of(Mix mix, List<Source> sources, long seed, long epoch) {
    Shares shares = mix.shares(sources);
    for (int source = 0; source < sources.size(); source++) {
      long rows = sources.get(source).rows();
      if (shares.rows(source) / rows > PASSES_MAX) {
        throw new IllegalArgumentException(
            Sentence.of(
                "Cannot mix source %s: its %s rows would be read %s times in an epoch."
                    + " Expected at most %s times: give it a smaller weight, or write its rows"
                    + " several times.",
                source, rows, shares.rows(source) / rows, PASSES_MAX));
      }
    }
    return new Mixing(shares, sources, seed, epoch);
  }

  public long rows() {
    return shares.rows();
  }

  /// Returns which weights hold at a row, see [Mix#stages].
  int stage(long row) {
    return shares.stage(row);
  }

  /// Returns the row from which on other weights than at a row hold.
  long stageEnd(long row) {
    return shares.stageEnd(row);
  }

  /// Returns how many datasets are mixed, at least 1.
  public int sourceCount() {
    return sources.size();
  }

  /// Returns which rows of a source match its filter; null where all rows do.
  public @Nullable Matches matches(int source) {
    return sources.get(source).matches();
  }

  /// Finds the number of the source of each of neighbouring rows.
  public void sources(long first, int count, int[] target) {
    Objects.checkFromIndexSize(first, count, rows());
    int[] working = new int[Shares.BLOCK_ROWS];
    long row = first;
    while (row < first + count) {
      Shares.Block block = shares.block(row);
      int[] all = sources(block, working);
      int from = (int) (row - block.start());
      int taken = (int) Math.min(all.length - from, first + count - row);
      System.arraycopy(all, from, target, (int) (row - first), taken);
      row += taken;
    }
  }

  private int[] sources(Shares.Block block, int[] working) {
    int[] ofRow = new int[block.size()];
    int at = 0;
    for (int source = 0; source < block.rows().length; source++) {
      Arrays.fill(ofRow, at, at + block.rows()[source], source);
      at += block.rows()[source];
    }
    Permutation.shuffle(ofRow, working, seed, epoch, block.start());
    return ofRow;
  }

  /// Returns the rows of each source in `[0, row)`.
  public long[] before(long row) {
    long[] before = new long[sources.size()];
    long start = row == rows() ? row : shares.block(row).start();
    for (int source = 0; source < before.length; source++) {
      before[source] = shares.before(source, start);
    }
    if (start < row) {
      int[] rest = new int[(int) (row - start)];
      sources(start, rest.length, rest);
      for (int source : rest) {
        before[source]++;
      }
    }
    return before;
  }

  /// Returns where rows of a source are.
  ///
  /// @param rows counted from the first that the epoch has, in ascending order
  long[] places(int source, long[] rows) {
    long[] places = new long[rows.length];
    int[] working = new int[Shares.BLOCK_ROWS];
    Shares.Block block = null;
    int[] ofRow = {};
    int at = 0; // in the block
    long passed = 0; // rows of the source before that
    for (int i = 0; i < rows.length; i++) {
      if (block == null || rows[i] >= shares.before(source, block.start() + block.size())) {
        block = shares.blockOf(source, rows[i]);
        ofRow = sources(block, working);
        at = 0;
        passed = shares.before(source, block.start());
      }
      while (passed < rows[i] || ofRow[at] != source) {
        passed += ofRow[at++] == source ? 1 : 0;
      }
      places[i] = block.start() + at;
    }
    return places;
  }

  /// Counts the first `rows` rows of runs by source, as the files have them: a composition makes
  /// its rows of these. Returns an empty list without a mixture.
  public static List<Long> sources(List<Run> runs, long rows) {
    Stretch open = null; // runs that follow each other
    long[] sum = {};
    long left = rows;
    for (Run run : runs) {
      boolean isWanted = left > 0 || open == null;
      Stretch next = isWanted && run instanceof WindowRun window ? Stretch.of(window, left) : null;
      if (next != null) {
        left -= next.to - next.from;
        if (open != null && open.to == next.from) {
          open = new Stretch(open.mixing, open.from, next.to);
        } else {
          sum = open == null ? sum : open.added(sum);
          open = next;
        }
      }
    }
    return Arrays.stream(open == null ? sum : open.added(sum)).boxed().toList();
  }

  /// Some rows of a mixture.
  private record Stretch(Mixing mixing, long from, long to) {
    /// Returns the rows of a window, or the first of them; null where they are not of a mixture.
    static @Nullable Stretch of(WindowRun window, long most) {
      WindowOrder.Mixed mixed = window.order().mixed();
      if (mixed == null) {
        return null;
      }
      long from = mixed.firstRow() + window.firstRow();
      return new Stretch(mixed.mixing(), from, from + Math.min(most, window.rowCount()));
    }

    long[] added(long[] others) {
      long[] sum = mixing.before(to);
      long[] before = mixing.before(from);
      for (int source = 0; source < sum.length; source++) {
        sum[source] += (others.length == 0 ? 0 : others[source]) - before[source];
      }
      return sum;
    }
  }

  /// Returns rows of a source, counted from the first that the epoch has.
  Sequence part(int source, long from, long to) {
    long rows = sources.get(source).rows();
    long begun = Math.multiplyExact(epoch, shares.rows(source));
    List<Sequence> parts = new ArrayList<>();
    long at = begun + from;
    while (at < begun + to) {
      long pass = at / rows;
      long first = at % rows;
      long end = Math.min(rows, first + begun + to - at);
      parts.add(pass(source, pass).slice(first, end));
      at += end - first;
    }
    return parts.getFirst().slice(0, 0).then(parts);
  }

  private synchronized Sequence pass(int source, long number) {
    Pass last = open.get(source);
    if (last == null || last.number() != number) {
      Sequence rows = sources.get(source).passes().apply(number);
      if (rows.rows() != sources.get(source).rows()) {
        throw new IllegalStateException(
            Sentence.of(
                "Source %s has %s rows but had %s",
                source, rows.rows(), sources.get(source).rows()));
      }
      last = new Pass(number, rows);
      open.put(source, last);
    }
    return last.rows();
  }

  /// Returns the rows of files that rows `[from, to)` of the mixture are, one source after another.
  List<Sequence> parts(long from, long to) {
    long[] first = before(from);
    long[] end = before(to);
    List<Sequence> parts = new ArrayList<>();
    for (int source = 0; source < first.length; source++) {
      if (first[source] < end[source]) {
        parts.add(part(source, first[source], end[source]));
      }
    }
    return parts;
  }

  /// Cuts rows `[from, to)` into runs, and adds these to a list in order.
  void cut(long from, long to, List<Run> runs) {
    long length = runRows();
    for (long start = from; start < to; ) {
      long end = Math.min(to, (start / length + 1) * length);
      runs.add(run(start, end, 0, false));
      start = end;
    }
  }

  /// Returns a run of rows `[from, to)`, see [WindowOrder.Mixed].
  WindowRun run(long from, long to, long number, boolean isShuffled) {
    List<Placed> parts = new ArrayList<>();
    for (Sequence rows : parts(from, to)) {
      List<RowRun> all = new ArrayList<>();
      for (Run run : rows.runs()) {
        all.addAll(run.parts());
      }
      double count = all.stream().mapToLong(this::count).sum();
      long before = 0;
      for (RowRun part : all) {
        if (count(part) > 0) {
          parts.add(new Placed(part, before / count));
          before += count(part);
        }
      }
    }
    parts.sort(Comparator.comparingDouble(Placed::place)); // stable
    return WindowRun.of(
        parts.stream().map(Placed::part).toList(),
        new WindowOrder.Mixed(this, from, to - from, isShuffled),
        number,
        to - from);
  }

  /// A part of a run, and which share of its source's rows come before it.
  private record Placed(RowRun part, double place) {}

  private long count(RowRun part) {
    Matches matches = matches(part.source());
    return matches == null ? part.rowCount() : matches.of(part);
  }

  private long runRows() {
    long least = RUN_ROWS_MAX;
    for (int source = 0; source < sources.size(); source++) {
      double share = (double) shares.rows(source) / Math.max(1, rows());
      least = Math.min(least, Math.round(RUN_GROUPS * sources.get(source).groupRows() / share));
    }
    return Math.max(RUN_ROWS_MIN, least) / Shares.BLOCK_ROWS * Shares.BLOCK_ROWS;
  }
}
