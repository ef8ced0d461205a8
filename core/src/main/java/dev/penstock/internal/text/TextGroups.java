package dev.penstock.internal.text;

import dev.penstock.format.ByteRange;
import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.text.RecordScanner.OpenRecordException;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The records of a file, counted once and cut into groups, so that a file of text can be split,
/// dealt and resumed like any other.
///
/// @param groups the groups in file order, each with at least one record
public record TextGroups(List<TextGroup> groups) {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int PADDING_BYTES = 64;

  /// Where groups are cut.
  ///
  /// @param bytes a group ends with the first record that reaches so many
  /// @param rows or with so many records
  /// @param stated whether the user said so: else a compressed file is not cut, because whoever
  ///   reads a later group has to decompress all that is before it
  public record Cuts(long bytes, long rows, boolean stated) {
    private static final Cuts NONE = new Cuts(Long.MAX_VALUE, Long.MAX_VALUE, false);

    private Cuts of(TextForm form) {
      return stated || form.compression() == Compression.NONE ? this : NONE;
    }
  }

  /// Copies the list.
  public TextGroups {
    groups = List.copyOf(groups);
  }

  /// Counts the records of a file.
  ///
  /// @param file the file
  /// @param form how its text is stored
  /// @param start where the first record starts
  /// @param scanner finds the ends of records; fresh
  /// @param wanted where groups are cut
  /// @return the groups
  /// @throws IOException if the file cannot be read, or ends within a record
  public static TextGroups count(
      StorageFile file, TextForm form, TextPlace start, RecordScanner scanner, Cuts wanted)
      throws IOException {
    Cuts cuts = wanted.of(form);
    List<TextGroup> groups = new ArrayList<>();
    TextPlace first = start;
    long position = start.at();
    long rows = 0;
    try (Arena arena = Arena.ofConfined();
        TextInput in = TextInput.open(file, form, start)) {
      MemorySegment block = arena.allocate(BLOCK_BYTES + PADDING_BYTES);
      long base = Raw.address(block, 0, block.byteSize());
      for (int length; (length = in.read(block, 0, BLOCK_BYTES)) > 0; ) {
        long at = base;
        long end = base + length;
        while (at < end) {
          // Up to the size of a group any number of records, then just one more.
          long size = cuts.bytes() - (position + at - base - first.at());
          boolean full = size <= 0;
          long stop = full ? end : at + Math.min(end - at, size);
          at = scanner.scan(at, stop, full ? 1 : cuts.rows() - rows);
          rows += scanner.records();
          if (rows == cuts.rows() || (full && scanner.records() > 0)) {
            long behind = position + at - base;
            groups.add(new TextGroup(first, behind, rows, in.fileEnd(behind)));
            first = in.place(behind);
            rows = 0;
          }
        }
        position += length;
      }
      rows += scanner.finish() ? 1 : 0;
      if (rows > 0) {
        groups.add(new TextGroup(first, position, rows, in.fileEnd(position)));
      }
      return new TextGroups(groups);
    } catch (OpenRecordException e) {
      throw open(file, form, position - e.back(), e);
    }
  }

  private static MalformedFileException open(
      StorageFile file, TextForm form, long at, OpenRecordException cause) throws IOException {
    return new MalformedFileException(
        file.location(),
        form.isPlain() ? at : -1,
        "line " + TextLines.number(file, form, at),
        "Truncated text: " + cause.getMessage() + ".",
        cause);
  }

  /// Returns which bytes of the file a reader of some records reads, see
  /// [dev.penstock.format.FileFormat#ranges]: the groups that have them, as a whole.
  ///
  /// @param firstRow the first record
  /// @param rowCount how many
  /// @return one range, or none
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

  /// Returns what planners see of the groups.
  ///
  /// @return a row group for each
  public List<RowGroup> rowGroups() {
    return groups.stream()
        .map(group -> new RowGroup(group.rows(), group.end() - group.start().at()))
        .toList();
  }
}
