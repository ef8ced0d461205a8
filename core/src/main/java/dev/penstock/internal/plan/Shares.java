package dev.penstock.internal.plan;

import dev.penstock.internal.plan.Mix.Ending;
import dev.penstock.internal.plan.Mix.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// How many rows of a mixture are from which source, whatever their order in a block.
///
/// The rows are cut into phases, in which weights do not change, and phases into blocks of
/// [#BLOCK_ROWS]; the last block of a phase may have fewer. 1,024 blocks are a cycle, in which each
/// source has a whole number of rows, its quota. Let `Q` be the sums of the quotas of the sources
/// before each, and `r(j)` the 10 bits of `j` in reverse order. Then block `j` of a cycle has of
/// source `s` as many rows as there are multiples of 1,024 in `(Q[s] + r(j), Q[s + 1] + r(j)]`. So
/// each block has a source's share to within one row, a cycle has the quotas, blocks with a row
/// more are spread evenly, and how many rows come before a block is known without counting.
///
/// Immutable.
final class Shares {
  static final int BLOCK_ROWS = 1 << 10; // the rows in which shares hold to within one row
  private static final int CYCLE_BITS = 10;
  private static final int CYCLE_BLOCKS = 1 << CYCLE_BITS;
  static final int CYCLE_ROWS = BLOCK_ROWS * CYCLE_BLOCKS; // the quotas of all sources in a cycle

  /// Rows in which weights do not change.
  ///
  /// @param sums the sums of the quotas of the sources before each, and of all
  /// @param before the rows of each source before it
  /// @param last the rows of each source in the last block, which is not whole
  @SuppressWarnings("ArrayRecordComponent") // nobody compares phases
  private record Phase(long start, long blocks, long[] sums, long[] before, int[] last) {
    long end() {
      return start + blocks * BLOCK_ROWS + Arrays.stream(last).sum();
    }
  }

  /// A block, and how many of its rows are of each source.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares blocks
  record Block(long start, int[] rows) {
    int size() {
      return Arrays.stream(rows).sum();
    }
  }

  private final List<Phase> phases = new ArrayList<>();
  private final long[] stages; // the row from which the weights of each hold
  private final long[] used;
  private long rows;

  /// @param available the rows of each source, at least 1
  /// @param stages the weights, the first from row 0 on, in ascending order
  Shares(long[] available, List<Stage> stages, Ending ending) {
    used = new long[available.length];
    this.stages = stages.stream().mapToLong(Stage::row).toArray();
    int stage = 0;
    while (stage < stages.size() && !isRead(available, ending)) {
      long end = stage + 1 < stages.size() ? stages.get(stage + 1).row() : Long.MAX_VALUE;
      double[] weights = stages.get(stage).weights().stream().mapToDouble(each -> each).toArray();
      for (int s = 0; s < weights.length; s++) {
        if (ending == Ending.ALL && used[s] == available[s]) {
          weights[s] = 0;
        }
      }
      boolean hasWeights = Arrays.stream(weights).sum() > 0;
      if (hasWeights) {
        boolean isWhole = ending == Ending.REPEAT && isAwaited(available, stages, stage);
        add(available, weights, end - rows, ending, isWhole);
        if (rows < end && ending != Ending.ALL) {
          return; // A source has ended.
        }
      }
      if (rows == end || !hasWeights) {
        stage++;
      }
    }
  }

  /// Returns whether every source was read, where the mixture ends with that.
  private boolean isRead(long[] available, Ending ending) {
    return ending != Ending.FIRST
        && IntStream.range(0, used.length).allMatch(s -> used[s] >= available[s]);
  }

  /// Returns whether a source that was not read has no share in a stage but in a later one.
  private boolean isAwaited(long[] available, List<Stage> stages, int stage) {
    return IntStream.range(0, used.length)
        .filter(s -> used[s] < available[s] && stages.get(stage).weights().get(s) == 0)
        .anyMatch(
            s -> stages.stream().skip(stage + 1L).anyMatch(later -> later.weights().get(s) > 0));
  }

  /// @param most the rows until the weights change; the phase has fewer only where a source ends
  /// @param isWhole whether it has all these rows, wherever sources end; only with REPEAT
  private void add(long[] available, double[] weights, long most, Ending ending, boolean isWhole) {
    long[] sums = sums(weights);
    long[] left = new long[available.length];
    long blocks = ending == Ending.REPEAT ? 0 : Long.MAX_VALUE;
    for (int s = 0; s < left.length; s++) {
      if (sums[s + 1] > sums[s]) {
        left[s] = Math.max(0, available[s] - used[s]);
        // The last block is made apart, so that it ends where a source does: whole blocks are those
        // for which all sources suffice, or with REPEAT those after which some are not read yet.
        blocks =
            ending != Ending.REPEAT
                ? Math.min(blocks, blocksOf(sums, s, left[s]))
                : Math.max(blocks, left[s] == 0 ? 0 : blocksOf(sums, s, left[s] - 1));
      }
    }
    blocks = isWhole ? most / BLOCK_ROWS : Math.min(blocks, most / BLOCK_ROWS);
    for (int s = 0; s < left.length; s++) {
      left[s] -= before(sums, s, blocks);
    }
    int room = (int) Math.min(BLOCK_ROWS, most - blocks * BLOCK_ROWS);
    int[] last = isWhole ? part(sums, room) : last(sums, blocks, left, room, ending);
    phases.add(new Phase(rows, blocks, sums, used.clone(), last));
    for (int s = 0; s < used.length; s++) {
      used[s] += before(sums, s, blocks) + last[s];
    }
    rows = phases.getLast().end();
  }

  /// Returns how many rows the last block of a phase has of each source.
  ///
  /// @param blocks how many whole blocks come before it
  /// @param left how many rows each source has left then
  private static int[] last(long[] sums, long blocks, long[] left, int room, Ending ending) {
    int first = ending == Ending.FIRST ? room : 0;
    int step = ending == Ending.FIRST ? -1 : 1;
    for (int size = first; size >= 0 && size <= room; size += step) {
      int[] part = part(sums, size);
      IntStream shared = IntStream.range(0, part.length).filter(s -> sums[s + 1] > sums[s]);
      boolean isIt =
          switch (ending) {
            case FIRST -> shared.allMatch(s -> part[s] <= left[s]);
            case ALL -> shared.anyMatch(s -> part[s] >= left[s]);
            case REPEAT -> shared.allMatch(s -> part[s] >= left[s]);
          };
      if (isIt && ending == Ending.ALL) {
        for (int s = 0; s < part.length; s++) {
          part[s] = (int) Math.min(part[s], Math.max(0, left[s]));
        }
      }
      if (isIt) {
        return part;
      }
    }
    // With REPEAT each size may be a row short of what a source has left; a whole block is not.
    return room == BLOCK_ROWS ? block(sums, blocks) : part(sums, room);
  }

  private static int[] block(long[] sums, long block) {
    int[] rows = new int[sums.length - 1];
    for (int s = 0; s < rows.length; s++) {
      rows[s] = (int) (before(sums, s, block + 1) - before(sums, s, block));
    }
    return rows;
  }

  /// Returns the rows of each source in a block of any size, to within one.
  private static int[] part(long[] sums, int size) {
    int[] part = new int[sums.length - 1];
    for (int s = 0; s < part.length; s++) {
      part[s] =
          (int)
              ((sums[s + 1] * size + CYCLE_ROWS / 2) / CYCLE_ROWS
                  - (sums[s] * size + CYCLE_ROWS / 2) / CYCLE_ROWS);
    }
    return part;
  }

  /// Returns how many blocks, from the phase's first on, a source has enough rows for.
  private static long blocksOf(long[] sums, int source, long count) {
    long low = 0;
    long high = (long) ((double) count / (sums[source + 1] - sums[source]) * CYCLE_BLOCKS) + 2_048;
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      if (before(sums, source, middle) <= count) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// Returns the sums of the quotas: whole numbers nearest to the weights.
  private static long[] sums(double[] weights) {
    double all = Arrays.stream(weights).sum();
    long[] quotas = new long[weights.length];
    long sum = 0;
    for (int s = 0; s < weights.length; s++) {
      quotas[s] = weights[s] == 0 ? 0 : Math.max(1, (long) (weights[s] / all * CYCLE_ROWS));
      sum += quotas[s];
    }
    Integer[] order = IntStream.range(0, weights.length).boxed().toArray(Integer[]::new);
    Arrays.sort(
        order,
        (a, b) ->
            Double.compare(missing(weights, quotas, b, all), missing(weights, quotas, a, all)));
    for (int i = 0; sum < CYCLE_ROWS; i = (i + 1) % order.length) {
      if (weights[order[i]] > 0) {
        quotas[order[i]]++;
        sum++;
      }
    }
    while (sum > CYCLE_ROWS) { // Sources below one row were given one.
      quotas[largest(quotas)]--;
      sum--;
    }
    long[] sums = new long[quotas.length + 1];
    for (int s = 0; s < quotas.length; s++) {
      sums[s + 1] = sums[s] + quotas[s];
    }
    return sums;
  }

  private static double missing(double[] weights, long[] quotas, int source, double all) {
    return weights[source] / all * CYCLE_ROWS - quotas[source];
  }

  private static int largest(long[] quotas) {
    int largest = 0;
    for (int s = 1; s < quotas.length; s++) {
      largest = quotas[s] > quotas[largest] ? s : largest;
    }
    return largest;
  }

  /// Returns the rows of a source in the first blocks of a phase.
  private static long before(long[] sums, int source, long blocks) {
    return upTo(sums[source + 1], blocks) - upTo(sums[source], blocks);
  }

  /// Returns the sum of `(sum + r(j)) / CYCLE_BLOCKS` for all `j` in `[0, blocks)`.
  private static long upTo(long sum, long blocks) {
    int rest = (int) (blocks % CYCLE_BLOCKS);
    int least = CYCLE_BLOCKS - (int) (sum % CYCLE_BLOCKS); // from which r(j) it is one more
    long more = 0;
    int start = 0;
    for (int bit = CYCLE_BLOCKS >> 1; bit > 0; bit >>= 1) {
      if ((rest & bit) != 0) { // For j in [start, start + bit), r(j) are this far apart.
        int step = CYCLE_BLOCKS / bit;
        int reversed = Integer.reverse(start) >>> (32 - CYCLE_BITS);
        int below = Math.ceilDiv(Math.max(0, least - reversed), step);
        more += bit - Math.min(bit, below);
        start += bit;
      }
    }
    return blocks / CYCLE_BLOCKS * sum + rest * (sum / CYCLE_BLOCKS) + more;
  }

  long rows() {
    return rows;
  }

  /// Returns which weights hold at a row, counted from 0 in the order in which they were given.
  int stage(long row) {
    int found = Arrays.binarySearch(stages, row);
    return found < 0 ? -found - 2 : found;
  }

  /// Returns the row from which on other weights than at a row hold.
  long stageEnd(long row) {
    int next = stage(row) + 1;
    return next < stages.length ? stages[next] : Long.MAX_VALUE;
  }

  long rows(int source) {
    return used[source];
  }

  /// Returns the block of a row in `[0, rows())`.
  Block block(long row) {
    Phase phase = phase(row);
    long block = (row - phase.start()) / BLOCK_ROWS;
    int[] counts = block < phase.blocks() ? block(phase.sums(), block) : phase.last();
    return new Block(phase.start() + block * BLOCK_ROWS, counts);
  }

  /// Returns the block that has a row of a source, counted from its first in `[0, rows(source))`.
  Block blockOf(int source, long row) {
    long low = 0;
    long high = rows - 1;
    while (low < high) { // the last block with at most `row` rows of the source before it
      long middle = (low + high + 1) >>> 1;
      long start = block(middle).start();
      if (before(source, start) <= row) {
        low = middle;
      } else {
        high = start - 1;
      }
    }
    return block(low);
  }

  /// Returns how many rows of a source come before the block that starts at a row.
  long before(int source, long start) {
    if (start == rows) {
      return used[source];
    }
    Phase phase = phase(start);
    long blocks = (start - phase.start()) / BLOCK_ROWS;
    return phase.before()[source] + before(phase.sums(), source, blocks);
  }

  private Phase phase(long row) {
    int low = 0;
    int high = phases.size() - 1;
    while (low < high) { // the last that starts at or before the row; phases without rows are none
      int middle = (low + high + 1) >>> 1;
      if (phases.get(middle).start() <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return phases.get(low);
  }
}
