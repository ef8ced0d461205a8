package dev.penstock.internal.planfile;

import dev.penstock.internal.planfile.PlanIndex.Block;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.RowSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writes plan files. Equal plans become equal bytes.
public final class PlanFileWriter {
  /// Files in a block, unless they take too many bytes.
  static final int BLOCK_FILES = 4096;

  private final PlanFile plan;
  private final PlanDetails details;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<Block> blocks = new ArrayList<>();

  private PlanFileWriter(PlanFile plan, PlanDetails details) {
    this.plan = plan;
    this.details = details;
  }

  /// Returns the contents of the file.
  ///
  /// @param details has the statistics and the matches that the plan's origin names
  /// @throws IOException if the details cannot be read, or one data file has too many of them
  public static byte[] write(PlanFile plan, PlanDetails details) throws IOException {
    PlanFileWriter writer = new PlanFileWriter(plan, details);
    writer.writeBlocks();
    writer.writeIndex();
    return writer.out.toByteArray();
  }

  private interface Contents {
    void write(BlockWriter out, int from, int to) throws IOException;
  }

  private void writeBlocks() throws IOException {
    write(PlanIndex.FILES, (block, from, to) -> FilesCode.write(block, files(from, to)));
    List<String> columns = plan.origin().statistics();
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      write(i + 1, (block, from, to) -> StatisticsCode.write(block, statistics(column, from, to)));
    }
    if (!plan.origin().filter().isEmpty()) {
      write(columns.size() + 1, this::writeMatches);
    }
  }

  private List<PlannedFile> files(int from, int to) {
    return plan.files().subList(from, to);
  }

  private List<ColumnStatistics> statistics(String column, int from, int to) throws IOException {
    List<ColumnStatistics> statistics = new ArrayList<>();
    for (int file = from; file < to; file++) {
      for (int group = 0; group < plan.files().get(file).stored().size(); group++) {
        statistics.add(details.statistics(file, group, column));
      }
    }
    return statistics;
  }

  private void writeMatches(BlockWriter block, int from, int to) throws IOException {
    List<Optional<RowSet>> matches = new ArrayList<>();
    for (int file = from; file < to; file++) {
      matches.add(details.matches(file));
    }
    long[] rows = files(from, to).stream().mapToLong(PlannedFile::rows).toArray();
    MatchesCode.write(block, matches, rows);
  }

  private void write(int kind, Contents contents) throws IOException {
    int all = plan.files().size();
    for (int from = 0; from < all; from += BLOCK_FILES) {
      write(kind, contents, from, Math.min(from + BLOCK_FILES, all));
    }
  }

  /// Writes some files as a block, or as several if they are too large for one.
  private void write(int kind, Contents contents, int from, int to) throws IOException {
    BlockWriter block = new BlockWriter();
    contents.write(block, from, to);
    if (block.isFull() && to - from > 1) {
      int middle = (from + to) >>> 1;
      write(kind, contents, from, middle);
      write(kind, contents, middle, to);
      return;
    }
    byte[] raw = required(block, plan.files().get(from).location().toString());
    byte[] packed = Packed.pack(raw);
    int groups = files(from, to).stream().mapToInt(file -> file.stored().size()).sum();
    int crc = Packed.crc(packed);
    blocks.add(
        new Block(kind, from, to - from, groups, out.size(), packed.length, raw.length, crc));
    out.writeBytes(packed);
  }

  private static byte[] required(BlockWriter block, String what) throws IOException {
    if (block.isFull()) {
      throw new IOException(
          "Cannot write the plan: what it has to say of "
              + what
              + " is more than "
              + BlockWriter.BYTES_MAX
              + " bytes. Make a plan without statistics and matches.");
    }
    return block.bytes();
  }

  private void writeIndex() throws IOException {
    PlanIndex index = new PlanIndex(plan.hash(), plan.origin(), plan.schemas(), blocks);
    BlockWriter block = new BlockWriter();
    index.write(block);
    byte[] raw = required(block, "the schemas of all files");
    byte[] packed = Packed.pack(raw);
    Trailer trailer = new Trailer(out.size(), packed.length, raw.length, Packed.crc(packed));
    out.writeBytes(packed);
    out.writeBytes(trailer.bytes());
  }
}
