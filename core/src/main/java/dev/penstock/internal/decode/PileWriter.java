package dev.penstock.internal.decode;

import dev.penstock.internal.cache.Piles;
import dev.penstock.internal.plan.PilePlaces.Sorted;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.scan.CompactSlices;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Puts the rows of a window on piles.
final class PileWriter extends DrainingReader {
  private final WindowReader window;
  private final Supplier<Sorted> sorting;
  private final WindowRun run;
  private final Piling piling;
  private final CompactSlices cuts;
  private final ScratchMemory memory;
  private final int columns;
  private boolean isRead;

  /// @param window the rows, sorted by pile; closed with this
  PileWriter(
      WindowReader window,
      Supplier<Sorted> sorting,
      WindowRun run,
      Piling piling,
      Schema schema,
      ScratchMemory memory) {
    this.window = window;
    this.sorting = sorting;
    this.run = run;
    this.piling = piling;
    this.cuts = new CompactSlices(schema, memory);
    this.memory = memory;
    this.columns = schema.size();
  }

  @Override
  public void read(int maxRows) throws IOException {
    try (Piles.Window target = piling.piles().window((int) run.number())) {
      if (target.next() < piling.places().count()) {
        write(target, maxRows);
      }
    }
    isRead = true;
  }

  private void write(Piles.Window target, int maxRows) throws IOException {
    window.readAll(maxRows);
    Sorted sorted = sorting.get();
    int count = sorted.inPile().length;
    List<ColumnSlice> all = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      all.add(window.column(column));
    }
    MemorySegment places = memory.take(Math.max(1, count * 4L));
    try {
      MemorySegment.copy(sorted.inPile(), 0, places, ValueLayout.JAVA_INT_UNALIGNED, 0, count);
      for (int pile = target.next(); pile < piling.places().count(); pile++) {
        int first = pile == 0 ? 0 : sorted.ends()[pile - 1];
        int rows = sorted.ends()[pile] - first;
        List<ColumnSlice> part = new ArrayList<>(cuts.cut(all, first, rows));
        part.add(Piles.places(places.asSlice(first * 4L), rows));
        target.add(part);
      }
    } finally {
      memory.give(places);
    }
  }

  @Override
  public Location file() {
    return window.file();
  }

  @Override
  public long end() {
    return isRead ? run.endRow() : run.firstRow();
  }

  @Override
  public void close() {
    window.close();
    cuts.release();
  }
}
