package dev.penstock.internal.text;

import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.Concurrency.Outcome;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Counts the records in parts of a file concurrently.
///
/// Whether a line break is between quotes depends on all text before it. So each part is counted as
/// if it started with a record, which is true unless it starts between quotes. Each block carries
/// the state assumed at its start; if that proves wrong, the caller counts the block again.
final class LineCounts {
  /// The bytes of a block, which is counted as a unit, and the number of blocks in a part.
  record Sizes(int blockBytes, int partBlocks) {
    static final Sizes USUAL = new Sizes(128 << 10, 128);

    /// How many parts are counted at once, which limits the memory for results.
    static final int PARTS_AT_ONCE = 256;

    long partBytes() {
      return (long) blockBytes * partBlocks;
    }
  }

  /// How many records end in `length` bytes of text, if the scanner's state at its start was
  /// `before`; `after` is then its state behind them.
  record Block(int length, long records, LineRecords before, LineRecords after) {}

  private static final int BREAK_BYTES = 64 << 10;

  private final StorageFile file;
  private final Sizes sizes;

  LineCounts(StorageFile file, Sizes sizes) {
    this.file = file;
    this.sizes = sizes;
  }

  /// Returns the next blocks of the text, in order, up to as many parts as are counted at once.
  /// `scanner` is in its state at `from`.
  List<Block> count(long from, LineRecords scanner, Concurrency parts) throws IOException {
    List<Long> starts = new ArrayList<>();
    for (long at = from;
        at < file.size() && starts.size() < Sizes.PARTS_AT_ONCE;
        at += sizes.partBytes()) {
      starts.add(at);
    }
    List<Block> blocks = new ArrayList<>();
    for (Outcome<List<Block>> part :
        parts.each(
            starts,
            start ->
                blocks(
                    start == from ? from : start(start, scanner),
                    start(start + sizes.partBytes(), scanner),
                    start == from ? scanner.copy() : scanner.fresh()))) {
      blocks.addAll(part.get());
    }
    return blocks;
  }

  /// Returns the place after the next line break, or the place itself if none is near.
  private long start(long at, LineRecords scanner) throws IOException {
    int length = (int) Math.min(Math.min(BREAK_BYTES, sizes.partBytes() / 2), file.size() - at);
    if (length <= 0) {
      return file.size();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(length);
      file.read(at, text);
      for (int i = 1; i < length; i++) {
        if (text.get(ValueLayout.JAVA_BYTE, i) == '\n'
            && scanner.isPlainBefore(text.get(ValueLayout.JAVA_BYTE, i - 1))) {
          return at + i + 1;
        }
      }
    }
    return at;
  }

  private List<Block> blocks(long from, long to, LineRecords scanner) throws IOException {
    List<Block> blocks = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(sizes.blockBytes() + Swar.PADDING_BYTES);
      long base = Raw.address(text, 0, text.byteSize());
      LineRecords before = scanner.copy();
      for (long at = from; at < to; ) {
        int length = (int) Math.min(sizes.blockBytes(), to - at);
        file.read(at, text.asSlice(0, length));
        scanner.scan(base, base + length, Long.MAX_VALUE);
        LineRecords after = scanner.copy();
        blocks.add(new Block(length, scanner.records(), before, after));
        before = after;
        at += length;
      }
    }
    return blocks;
  }
}
