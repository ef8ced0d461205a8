package dev.penstock.internal.planfile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.planfile.PlanIndex.Block;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.RowSet;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The details in a plan file, read when they are wanted.
///
/// **Threads.** Any.
final class StoredDetails implements PlanDetails {
  private final PlanBlocks blocks;
  private final PlanIndex index;
  private final int[] groupsBefore; // by file, like the next
  private final long[] rows;
  private final Kept<ColumnStatistics> statistics = new Kept<>();
  private final Kept<Optional<RowSet>> matches = new Kept<>();

  /// @param files all files of the plan
  StoredDetails(PlanBlocks blocks, PlanIndex index, List<PlannedFile> files) {
    this.blocks = blocks;
    this.index = index;
    groupsBefore = new int[files.size()];
    for (int i = 1; i < files.size(); i++) {
      groupsBefore[i] = groupsBefore[i - 1] + files.get(i - 1).stored().size();
    }
    rows = files.stream().mapToLong(PlannedFile::rows).toArray();
  }

  @Override
  public ColumnStatistics statistics(int file, int rowGroup, String column) throws IOException {
    int kind = index.origin().statistics().indexOf(column) + 1;
    if (kind == 0) {
      return ColumnStatistics.UNKNOWN;
    }
    int number = index.block(kind, file);
    Block block = index.blocks().get(number);
    int first = groupsBefore[file] - groupsBefore[block.firstFile()];
    return statistics
        .of(number, in -> StatisticsCode.read(in, block.rowGroups()))
        .get(first + rowGroup);
  }

  @Override
  public Optional<RowSet> matches(int file) throws IOException {
    if (index.origin().filter().isEmpty()) {
      return Optional.empty();
    }
    int number = index.block(index.matchesKind(), file);
    Block block = index.blocks().get(number);
    long[] ofBlock = Arrays.copyOfRange(rows, block.firstFile(), block.endFile());
    return matches.of(number, in -> MatchesCode.read(in, ofBlock)).get(file - block.firstFile());
  }

  /// The blocks of details that were asked for last.
  private final class Kept<T> {
    private static final int BLOCKS_MAX = 8;

    @GuardedBy("this")
    private final Map<Integer, List<T>> lists = new LinkedHashMap<>(16, 0.75f, true);

    synchronized List<T> of(int number, Function<BlockReader, List<T>> code) throws IOException {
      List<T> known = lists.get(number);
      if (known == null) {
        known = blocks.read(number, code);
        lists.put(number, known);
        if (lists.size() > BLOCKS_MAX) {
          lists.remove(lists.keySet().iterator().next());
        }
      }
      return known;
    }
  }
}
