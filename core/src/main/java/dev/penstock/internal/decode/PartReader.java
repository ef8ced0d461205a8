package dev.penstock.internal.decode;

import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Mixing;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.workers.UserCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the parts of a window that are of one dataset, one after another.
///
/// **Threads.** One at a time.
final class PartReader implements AutoCloseable {
  private final List<RowRun> parts;
  private final DecodeUnit unit;
  private final WindowParts open;
  private final @Nullable Matches matches;
  private final Consumer<Runnable> skips;
  private int next; // the next part
  private @Nullable DecodeUnit part; // the open one
  private @Nullable RunSource source;
  private long end; // the row of the part behind those that were read
  private long given; // rows of the part

  /// Returns what reads rows of a mixture: one for each source. What a source leaves out another
  /// may take, so it is not counted.
  static List<PartReader> ofSources(
      Mixing mixing, List<RowRun> parts, DecodeUnit unit, WindowParts open) {
    List<PartReader> all = new ArrayList<>();
    for (int number = 0; number < mixing.sourceCount(); number++) {
      int source = number;
      List<RowRun> own = parts.stream().filter(part -> part.source() == source).toList();
      all.add(new PartReader(own, unit, open, mixing.matches(source), _ -> {}));
    }
    return all;
  }

  /// Returns what reads rows of files.
  ///
  /// @param skips receives actions that count the rows a filter left out
  static PartReader of(
      List<RowRun> parts, DecodeUnit unit, WindowParts open, List<Runnable> skips) {
    return new PartReader(parts, unit, open, null, skips::add);
  }

  /// @param matches which of their rows match their filter; null where that need not be known
  private PartReader(
      List<RowRun> parts,
      DecodeUnit unit,
      WindowParts open,
      @Nullable Matches matches,
      Consumer<Runnable> skips) {
    this.parts = parts;
    this.unit = unit;
    this.open = open;
    this.matches = matches;
    this.skips = skips;
  }

  boolean isAtEnd() {
    return part == null && next == parts.size();
  }

  /// Reads the next rows of a part. The reader that has read them is valid until [#done].
  ///
  /// @param maxRows the most rows to look at
  /// @param wanted the most rows to give where matches are known
  RowReader read(int maxRows, long wanted) throws IOException {
    MemoryTurn.check();
    DecodeUnit current = part;
    RunSource from = source;
    if (current == null || from == null) {
      current = new DecodeUnit(unit.index(), parts.get(next++), unit.group());
      from = open.take(current);
      begin(current, from, current.run().firstRow());
    }
    RowRun run = (RowRun) current.run();
    long most = run.endRow() - end;
    if (matches == null) {
      most = Math.min(most, wanted);
    } else {
      long before = matches.before(run.file(), end);
      if (before + wanted < matches.before(run.file(), run.endRow())) {
        most = matches.row(run.file(), before + wanted - 1) + 1 - end;
      }
    }
    RowReader reader = from.read(current, end, (int) Math.min(maxRows, most), true);
    end = reader.end();
    given += reader.count();
    return reader;
  }

  private void begin(DecodeUnit begun, RunSource from, long row) {
    part = begun;
    source = from;
    end = row;
    given = 0;
  }

  /// Skips rows, before any was read.
  void skip(long rows) throws IOException {
    long left = rows;
    while (left > 0) {
      RowRun run = parts.get(next++);
      long count = matches == null ? run.rowCount() : matches.of(run);
      if (left < count) {
        long before = matches == null ? 0 : matches.before(run.file(), run.firstRow());
        DecodeUnit begun = new DecodeUnit(unit.index(), run, unit.group());
        long row = matches == null ? run.firstRow() + left : matches.row(run.file(), before + left);
        begin(begun, open.fresh(begun), row);
        given = left;
        return;
      }
      left -= count;
    }
  }

  /// Ends the use of the rows of the last [#read]; a part that was read to its end is given back.
  void done() throws IOException {
    DecodeUnit current = part;
    RunSource from = source;
    if (current != null && from != null && end == current.run().endRow()) {
      part = null;
      source = null;
      skips.accept(from.skipped(given));
      open.give(from, current);
    }
  }

  /// Gives the last part back, after all of its rows were used.
  void finish() {
    try {
      done();
    } catch (IOException e) {
      warn(e);
    }
  }

  private static void warn(IOException e) {
    // Its rows were given or are no longer wanted: a failing close cannot change them.
    UserCode.warn(PartReader.class, "Cannot close a data file", e);
  }

  /// Closes the part that was not read to its end.
  @Override
  public void close() {
    RunSource from = source;
    part = null;
    source = null;
    try {
      if (from != null) {
        from.close();
      }
    } catch (IOException e) {
      warn(e);
    }
  }
}
