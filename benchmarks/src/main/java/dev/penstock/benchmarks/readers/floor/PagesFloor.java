package dev.penstock.benchmarks.readers.floor;

import dev.penstock.benchmarks.Pages;
import dev.penstock.benchmarks.readers.Buffers;
import dev.penstock.benchmarks.readers.Reader;
import dev.penstock.benchmarks.readers.Table.Column;
import java.io.IOException;
import java.util.List;

/// Reads and decompresses all pages, with the codecs that Penstock uses, and decodes nothing.
public final class PagesFloor implements Reader {
  private List<Pages.Group> groups = List.of();

  /// Makes the floor.
  public PagesFloor() {}

  @Override
  public String name() {
    return "floor: pages only";
  }

  @Override
  public boolean delivers() {
    return false;
  }

  @Override
  public void read(Scan scan, Sink sink) throws IOException {
    if (groups.isEmpty()) {
      List<String> names = scan.table().columns().stream().map(Column::name).toList();
      groups = Pages.groups(scan.file(), names, false);
    }
    Buffers buffers = new Buffers(scan.table().columns().size());
    try (Pages.Decompressor decompressor = new Pages.Decompressor()) {
      for (Pages.Group group : groups) {
        for (long left = decompressor.run(group); left > 0; left -= BATCH_ROWS) {
          sink.accept(buffers.rows((int) Math.min(left, BATCH_ROWS)));
        }
      }
    }
  }
}
