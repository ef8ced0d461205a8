package dev.penstock.internal.text;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.text.RecordScanner.OpenRecordException;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.ScannedFile;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The records of a file, counted once and cut into groups, so that a text file can be split, dealt
/// and resumed like any other. Groups are in file order, each with at least one record.
public record TextGroups(List<TextGroup> groups) {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int NUMBERS = 6; // of a group

  /// A run of records of a file, like a row group in other formats.
  ///
  /// @param end the place after it, in bytes of UTF-8
  /// @param fileEnd the place up to which its reader may read the file, in bytes
  record TextGroup(TextPlace start, long end, long rows, long fileEnd) {}

  public record Cuts(long bytes, long rows, boolean stated) {
    private static final Cuts NONE = new Cuts(Long.MAX_VALUE, Long.MAX_VALUE, false);

    private Cuts of(TextForm form) {
      return stated || form.compression() == Compression.NONE ? this : NONE;
    }
  }

  public TextGroups {
    groups = List.copyOf(groups);
  }

  /// Counts the records of a file from `start` on by a fresh scanner. Parts of a large file run
  /// concurrently; the groups do not depend on it.
  public static TextGroups count(
      StorageFile file,
      TextForm form,
      TextPlace start,
      RecordScanner scanner,
      Cuts wanted,
      Concurrency parts)
      throws IOException {
    byte[] kept =
        ScannedFile.scan(
            file,
            opened ->
                count(opened, form, start, scanner, wanted, parts, LineCounts.Sizes.USUAL).bytes());
    return of(kept);
  }

  private byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(groups.size() * NUMBERS * Long.BYTES);
    for (TextGroup group : groups) {
      bytes.putLong(group.start().at());
      bytes.putLong(group.start().restart());
      bytes.putLong(group.start().restartAt());
      bytes.putLong(group.end()).putLong(group.rows()).putLong(group.fileEnd());
    }
    return bytes.array();
  }

  private static TextGroups of(byte[] kept) {
    ByteBuffer bytes = ByteBuffer.wrap(kept);
    List<TextGroup> groups = new ArrayList<>();
    while (bytes.hasRemaining()) {
      TextPlace start = new TextPlace(bytes.getLong(), bytes.getLong(), bytes.getLong());
      groups.add(new TextGroup(start, bytes.getLong(), bytes.getLong(), bytes.getLong()));
    }
    return new TextGroups(groups);
  }

  static TextGroups count(
      StorageFile file,
      TextForm form,
      TextPlace start,
      RecordScanner scanner,
      Cuts wanted,
      Concurrency parts,
      LineCounts.Sizes sizes)
      throws IOException {
    GroupCutter cutter = new GroupCutter(start, wanted.of(form));
    try {
      // Bytes fetched ahead come in order, and most of the time is waiting, not counting.
      boolean inParts =
          !parts.equals(Concurrency.NONE)
              && form.isPlain()
              && !(file instanceof AheadFile)
              && file.size() - start.at() > sizes.partBytes()
              && wanted.rows() == Long.MAX_VALUE
              && wanted.bytes() > sizes.blockBytes();
      if (inParts && scanner instanceof LineRecords lines) {
        return new TextGroups(inParts(file, lines, cutter, parts, sizes));
      }
      try (Arena arena = Arena.ofConfined();
          TextInput in = TextInput.open(file, form, start)) {
        MemorySegment block = arena.allocate(BLOCK_BYTES + Swar.PADDING_BYTES);
        for (int length; (length = in.read(block, 0, BLOCK_BYTES)) > 0; ) {
          cutter.scan(scanner, block, length, in);
        }
        return new TextGroups(cutter.end(scanner, in));
      }
    } catch (OpenRecordException e) {
      throw open(file, form, cutter.position - e.back, e);
    }
  }

  /// Goes over counted blocks, and scans only those in which a group may end, or whose start was
  /// assumed wrongly.
  private static List<TextGroup> inParts(
      StorageFile file,
      LineRecords fresh,
      GroupCutter cutter,
      Concurrency parts,
      LineCounts.Sizes sizes)
      throws IOException, OpenRecordException {
    LineCounts counts = new LineCounts(file, sizes);
    LineRecords scanner = fresh;
    try (Arena arena = Arena.ofConfined();
        TextInput in = TextInput.open(file, TextForm.PLAIN, new TextPlace(0, 0, 0))) {
      MemorySegment block = arena.allocate(sizes.blockBytes() + Swar.PADDING_BYTES);
      while (cutter.position < file.size()) {
        for (LineCounts.Block counted : counts.count(cutter.position, scanner, parts)) {
          if (scanner.isLike(counted.before()) && !cutter.mayEnd(counted.length())) {
            cutter.pass(counted.records(), counted.length());
            scanner = counted.after().copy();
          } else {
            file.read(cutter.position, block.asSlice(0, counted.length()));
            cutter.scan(scanner, block, counted.length(), in);
          }
        }
      }
      return cutter.end(scanner, in);
    }
  }

  private static MalformedFileException open(
      StorageFile file, TextForm form, long at, OpenRecordException cause) throws IOException {
    return new MalformedFileException(
        file.location(),
        form.isPlain() ? at : -1,
        "line " + TextInput.line(file, form, at),
        "Truncated text: " + cause.getMessage() + ".",
        cause);
  }

  /// Returns the bytes of the file that a reader of some records reads, see
  /// [dev.penstock.spi.format.FileFormat#ranges]: one range of the groups that have them, as a
  /// whole, or none.
  public List<ByteRange> ranges(long firstRow, long rowCount) {
    TextGroup first = null;
    TextGroup last = null;
    long row = 0;
    for (TextGroup group : groups) {
      if (row < firstRow + rowCount && row + group.rows() > firstRow) {
        first = first == null ? group : first;
        last = group;
      }
      row += group.rows();
    }
    if (first == null || last == null) {
      return List.of();
    }
    long from = first.start().restart();
    return List.of(new ByteRange(from, last.fileEnd() - from));
  }

  public List<RowGroup> rowGroups() {
    return groups.stream()
        .map(group -> new RowGroup(group.rows(), group.end() - group.start().at()))
        .toList();
  }
}
