package dev.penstock.internal.decode;

import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Texts;
import dev.penstock.spi.format.ScratchMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rows of one run that a worker decoded before their place in the sequence was known.
///
/// **Threads.** One at a time.
final class EarlyRows {
  private final ScratchMemory scratch;
  private final long bytesMax;
  private final boolean isTraced;
  private final ArrayDeque<RowCopies> blocks = new ArrayDeque<>();
  private final Map<Integer, List<RowCopies>> idleByGroup = new HashMap<>();
  private long bytes;
  private @Nullable RowCopies taken;
  private int group;

  /// @param isTraced whether to keep what the rows were made of
  EarlyRows(ScratchMemory scratch, long bytesMax, boolean isTraced) {
    this.scratch = scratch;
    this.isTraced = isTraced;
    this.bytesMax = bytesMax;
  }

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  boolean isFull() {
    return bytes >= bytesMax;
  }

  /// Appends copies of rows, which must have the same column group as those already there.
  void add(ColumnGroup columns, Rows rows) {
    group = columns.index();
    List<RowCopies> idle = idle();
    RowCopies block =
        idle.isEmpty()
            ? new RowCopies(columns.schema(), Texts.JOINED, scratch, rows.file())
            : idle.removeLast();
    block.copy(rows);
    if (isTraced && group == 0) {
      block.keepParts(rows);
    }
    blocks.add(block);
    bytes += block.bytes();
  }

  private List<RowCopies> idle() {
    return idleByGroup.computeIfAbsent(group, _ -> new ArrayList<>());
  }

  /// Returns the first rows, which are valid until the next call.
  @Nullable Rows poll() {
    giveBack();
    taken = blocks.poll();
    return taken;
  }

  private void giveBack() {
    if (taken != null) {
      bytes -= taken.bytes();
      idle().add(taken);
      taken = null;
    }
  }

  void clear() {
    while (taken != null || !blocks.isEmpty()) {
      poll();
    }
  }

  void release() {
    clear();
    idleByGroup.values().forEach(idle -> idle.forEach(RowCopies::release));
    idleByGroup.clear();
  }
}
