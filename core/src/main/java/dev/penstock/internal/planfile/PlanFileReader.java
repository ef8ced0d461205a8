package dev.penstock.internal.planfile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.planfile.PlanIndex.Block;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Reads a plan file: its end and its files at once, by two or three requests; statistics and
/// matches when they are wanted.
///
/// **Ownership.** The caller closes the file, after the last question for details.
///
/// **Threads.** Any.
///
/// **Errors.** If the file is damaged, a [dev.penstock.format.MalformedFileException] names the
/// block.
public final class PlanFileReader implements PlanDetails {
  private final PlanBlocks blocks;
  private final PlanIndex index;
  private final PlanFile plan;
  private final int[] groupsBefore; // by file
  private final Kept<ColumnStatistics> statistics = new Kept<>();
  private final Kept<Optional<RowSet>> matches = new Kept<>();

  private PlanFileReader(StorageFile file) throws IOException {
    blocks = new PlanBlocks(file);
    index = blocks.index();
    List<PlannedFile> files = files();
    plan = new PlanFile(index.hash(), index.origin(), index.schemas(), files);
    groupsBefore = new int[files.size()];
    for (int i = 1; i < files.size(); i++) {
      groupsBefore[i] = groupsBefore[i - 1] + files.get(i - 1).stored().size();
    }
  }

  /// Reads all but the details of an open file.
  public static PlanFileReader open(StorageFile file) throws IOException {
    return new PlanFileReader(file);
  }

  public PlanFile plan() {
    return plan;
  }

  private List<PlannedFile> files() throws IOException {
    List<PlannedFile> files = new ArrayList<>();
    int all = index.files();
    int schemas = index.schemas().size();
    for (int i = 0; files.size() < all; i++) {
      Block block = index.blocks().get(i);
      files.addAll(
          blocks.read(i, in -> FilesCode.read(in, block.files(), block.rowGroups(), schemas)));
    }
    for (int i = 1; i < files.size(); i++) {
      if (files.get(i).location().compareTo(files.get(i - 1).location()) < 0) {
        String why =
            Sentence.of(
                "'%s' comes before '%s'", files.get(i - 1).location(), files.get(i).location());
        throw blocks.corrupt("file " + i, -1, why, null);
      }
    }
    return files;
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
    List<PlannedFile> files = plan.files().subList(block.firstFile(), block.endFile());
    long[] rows = files.stream().mapToLong(PlannedFile::rows).toArray();
    return matches.of(number, in -> MatchesCode.read(in, rows)).get(file - block.firstFile());
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
