package dev.penstock.cli.output;

import dev.penstock.steps.StepRow;
import java.util.List;

/// Writes rows of steps as JSON, an object a line.
public final class StepRowWriter {
  private static final byte[][] KEYS =
      OutputBuffer.keys(
          List.of(
              "epoch", "step", "rank", "place", "file", "row", "endRow", "rowId", "source", "from",
              "count", "offset"));

  private final OutputBuffer out;

  public StepRowWriter(OutputBuffer out) {
    this.out = out;
  }

  /// Writes a row.
  public void write(StepRow row) {
    number(0, row.epoch());
    number(1, row.step());
    number(2, row.rank());
    number(3, row.place());
    out.write(KEYS[4]);
    out.string(row.file().text());
    number(5, row.row());
    if (row.endRow() != row.row() + 1) {
      number(6, row.endRow());
    }
    row.rowId().ifPresent(id -> number(7, id));
    row.source().ifPresent(source -> number(8, source));
    row.part()
        .ifPresent(part -> {
          number(9, part.from());
          number(10, part.count());
          number(11, part.offset());
        });
    out.ascii("}\n");
  }

  private void number(int key, long value) {
    out.write(KEYS[key]);
    out.integer(value);
  }
}
