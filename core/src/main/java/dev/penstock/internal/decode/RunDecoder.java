package dev.penstock.internal.decode;

import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.columns.SliceTarget;
import dev.penstock.internal.deliver.BatchWindow;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.memory.NoRoomException;
import dev.penstock.internal.memory.TooLittleMemoryException;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.RunPlace;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.workers.TransformException;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.StorageException;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What one worker does: take a run of rows and a group of columns, decode them slice by slice,
/// copy each slice into batches.
///
/// Where a run starts in the sequence is known once the runs before it are counted. Until then its
/// rows are staged, as many as may be.
///
/// **Threads.** One at a time.
public final class RunDecoder implements AutoCloseable {
  /* A slice fails as a whole, but its rows before the faulty one have to arrive, and the error has
   * to come after the same batches in every run. So the slice is read again from the first row that
   * was not delivered, row by row, until one fails. When none does, the first failure is reported
   * all the same: nothing is mended by trying again.
   *
   * Where the memory does not suffice, it is tried again with fewer rows at once. It is too little
   * only where a worker that has begun anew cannot read one row: what is needed then depends on the
   * rows, not on what workers happened to hold.
   *
   * Where a store failed, it was asked as often as its options allow. Then what was read before
   * arrives, and it is not asked again. */

  /// The most rows decoded at once: large enough to spread the cost of a call, small enough for the
  /// decoded columns to stay in the second-level cache.
  public static final int SLICE_ROWS_MAX = 8192;

  /// So many times fewer rows are read at once when there is too little memory.
  private static final int FEWER = 8;

  private final BatchLayout layout;
  private final BatchWindow window;
  private final Supplier<@Nullable DecodeUnit> units;
  private final RunSource source;
  private final WorkerScratch scratch;
  private final MemoryTurn turn;
  private final StagedRows staged;
  private final Map<Integer, List<SliceTarget>> targetsByGroup = new HashMap<>();

  private @Nullable DecodeUnit unit;
  private boolean begun; // the unit, by having been let in
  private long start; // of the run in the sequence, or -1
  private long delivered; // rows of the run that are in batches
  private long counted; // rows of the run that are in batches or staged
  private boolean isCounted; // the run, for all to know
  private long readTo; // the file's row behind those that were read
  private long resumeFrom; // the file's row before which all wanted ones are in batches
  private int resumeBehind; // rows that come again from there and are in batches
  private @Nullable Rows rows; // on their way to batches
  private int taken; // of them

  private int rowsAtOnce = SLICE_ROWS_MAX;
  private @Nullable RunPlace begunAt; // from where all was read anew that is held

  private @Nullable Throwable suspicion; // what failed, while its rows are read one by one
  private long suspectEnd;

  /// Makes it without work.
  ///
  /// @param layout what batches look like
  /// @param window takes the rows
  /// @param units gives the next unit, or null
  /// @param source reads the rows of a unit
  /// @param scratch the worker's own memory
  /// @param turn when it may use how much of it
  /// @param stagedBytesMax how much may be decoded before its place is known
  public RunDecoder(
      BatchLayout layout,
      BatchWindow window,
      Supplier<@Nullable DecodeUnit> units,
      RunSource source,
      WorkerScratch scratch,
      MemoryTurn turn,
      long stagedBytesMax) {
    this.layout = layout;
    this.window = window;
    this.units = units;
    this.source = source;
    this.scratch = scratch;
    this.turn = turn;
    this.staged = new StagedRows(scratch, stagedBytesMax);
  }

  /// Decodes one slice, copies what may be delivered of one, or takes the next unit. Whatever goes
  /// wrong is told to the window.
  ///
  /// @return false when there is nothing left to do
  public boolean step() {
    DecodeUnit current = unit;
    try {
      if (current == null) {
        current = units.get();
        if (current == null) {
          return false;
        }
        begin(current);
      }
      if (!begun && !turn.begin()) {
        return false;
      }
      begun = true;
      MemoryTurn.check();
      return advance(current);
    } catch (NoRoomException e) {
      return current != null && giveUp(current, e.isAlone());
    } catch (Throwable e) {
      if (current == null) {
        window.fail(0, 0, 0, e);
      } else {
        fail(current, e);
      }
      return false;
    }
  }

  /// Gives back all memory, for workers that are before this one or to hold less, and goes back to
  /// the last row that is in a batch.
  private boolean giveUp(DecodeUnit current, boolean isAlone) {
    try {
      goBack(current);
      releaseAll();
      RunPlace place = new RunPlace(current.index(), resumeFrom, resumeBehind);
      if (isAlone) {
        turn.measure(rowsAtOnce == 1 && place.equals(begunAt));
        rowsAtOnce = Math.max(1, rowsAtOnce / FEWER);
      }
      begunAt = place;
      begun = false;
      turn.giveUp();
      return true;
    } catch (Throwable e) {
      fail(current, e);
      return false;
    }
  }

  private void fail(DecodeUnit current, Throwable cause) {
    long first = start < 0 ? window.awaitStart(current.index()) : start;
    if (first >= 0) {
      Throwable explained = explained(cause, current.run());
      // Too much memory may be noticed when all rows are in batches: then the last one failed.
      boolean isBehind = delivered > 0 && resumeFrom == current.run().endRow();
      long place = window.place(first + (isBehind ? delivered - 1 : delivered));
      window.fail(current.index(), current.group().index(), place, explained);
    }
  }

  private void begin(DecodeUnit next) {
    unit = next;
    start = -1;
    delivered = 0;
    counted = -next.run().behind();
    isCounted = false;
    readTo = next.run().firstRow();
    resumeFrom = readTo;
    resumeBehind = (int) next.run().behind();
    suspicion = null;
    rowsAtOnce = Math.min(SLICE_ROWS_MAX, rowsAtOnce * FEWER);
    begunAt = null;
    tellPlace(next);
  }

  /// Rows are in the order of their runs, or of their places where workers take turns.
  private void tellPlace(DecodeUnit current) {
    int group = current.group().index();
    if (window.hasTurns()) {
      turn.at(0, window.place(window.start(current.index()) + delivered), group);
    } else {
      turn.at(current.index(), delivered, group);
    }
  }

  private boolean advance(DecodeUnit current) throws Throwable {
    if (start < 0) {
      start = window.start(current.index());
    }
    return start < 0 ? readAhead(current) : deliver(current);
  }

  /// Stages rows until there are enough; then waits for the runs before to be counted.
  private boolean readAhead(DecodeUnit current) throws Throwable {
    if (isAtEnd(current)) {
      end();
    } else if (readTo == current.run().endRow() || suspicion != null || staged.isFull()) {
      start = window.awaitStart(current.index());
      return start >= 0;
    } else {
      try {
        Rows read = read(current);
        if (read.count() > 0) {
          staged.add(current.group(), read);
        }
        turn.requireEnough();
      } catch (NoRoomException e) {
        throw e;
      } catch (Throwable e) {
        retry(current, e);
      }
    }
    return true;
  }

  /// Returns whether nothing is left of a unit, not even a failure to tell.
  private boolean isAtEnd(DecodeUnit current) {
    return rows == null
        && staged.isEmpty()
        && readTo == current.run().endRow()
        && suspicion == null;
  }

  private boolean deliver(DecodeUnit current) throws Throwable {
    if (isAtEnd(current)) { // Its last rows gave none, and were read before its start was known.
      end();
      return true;
    }
    int group = current.group().index();
    if (window.admit(group, window.place(start + delivered)) < 0) {
      return false;
    }
    try {
      if (rows == null) {
        prepare(current);
      }
      // Asked again: which row is the last may be known only now.
      long limit = window.admit(group, window.place(start + delivered));
      if (limit < 0) {
        return false;
      }
      copy(current, limit);
      turn.requireEnough();
      turn.measure(false);
    } catch (NoRoomException e) {
      throw e;
    } catch (Throwable e) {
      retry(current, e);
      return true;
    }
    if (isAtEnd(current)) {
      end();
    }
    return true;
  }

  /// Reads the next rows. What is counted does not change when they are read again.
  private RowReader read(DecodeUnit current) throws Throwable {
    if (suspicion != null && readTo >= suspectEnd) {
      throw suspicion;
    }
    RowReader reader = source.read(current, readTo, suspicion == null ? rowsAtOnce : 1, start >= 0);
    turn.requireEnough();
    readTo = reader.end();
    if (suspicion != null && readTo >= suspectEnd) {
      throw suspicion; // All others could be read: the last one must be the faulty one.
    }
    counted += reader.count();
    long inAll = readTo == current.run().endRow() ? counted : source.count();
    if (inAll >= 0 && !isCounted) {
      isCounted = true;
      window.counted(current.index(), inAll, source.skipped(inAll));
    }
    return reader;
  }

  private void prepare(DecodeUnit current) throws Throwable {
    Rows next = staged.poll();
    if (next == null) {
      next = read(current);
    }
    if (resumeBehind > next.count()) { // A transform gave fewer rows than before.
      throw suspicion != null ? suspicion : lost(next);
    }
    rows = next;
    taken = resumeBehind;
    resumeBehind = 0;
    if (next.count() > 0) {
      for (SliceTarget target : targets(current)) {
        target.prepare(next);
      }
    }
  }

  private TransformException lost(Rows next) {
    String sentence =
        "Cannot go on behind row "
            + resumeBehind
            + " of those that the transform makes from row "
            + resumeFrom
            + " of "
            + next.file()
            + ": it makes "
            + next.count()
            + ". A transform must give the same rows each time.";
    return new TransformException(sentence, new IllegalStateException(sentence));
  }

  private List<SliceTarget> targets(DecodeUnit current) {
    return targetsByGroup.computeIfAbsent(
        current.group().index(), _ -> current.group().targets(scratch));
  }

  /// Copies rows to batches, as far as they may be written.
  ///
  /// @param limit the end of the places that may be written
  private void copy(DecodeUnit current, long limit) throws IOException {
    Rows from = rows;
    if (from == null) {
      return;
    }
    int batchSize = layout.batchSize();
    List<SliceTarget> targets = targets(current);
    long position = window.place(start + delivered);
    int end = (int) Math.min(from.count(), taken + limit - position);
    boolean isWanted = true;
    try {
      while (taken < end && isWanted) {
        int to = (int) (position % batchSize);
        int count = Math.min(end - taken, batchSize - to);
        PartialBatch batch = window.batch(position / batchSize);
        for (SliceTarget target : targets) {
          target.copy(taken, count, batch, to);
        }
        if (to + count == batchSize && current.group().index() == 0) {
          batch.end(place(current.index(), from, taken + count));
        }
        window.filled(batch, current.group().index(), to, count);
        taken += count;
        delivered += count;
        position += count;
        isWanted = !layout.holdsObjects() || window.hasRoomFor(position / batchSize);
      }
    } finally {
      tellPlace(current);
      window.announce();
    }
    if (taken == from.count()) {
      resumeFrom = from.end();
      rows = null;
    }
  }

  /// Returns where rows go on behind the first so many.
  private static RunPlace place(int run, Rows rows, int count) {
    return count == rows.count()
        ? new RunPlace(run, rows.end(), 0)
        : new RunPlace(run, rows.fileRow(count), rows.rowsBefore(count));
  }

  /// Begins to read row by row what was not delivered, unless it was a store that failed.
  private void retry(DecodeUnit current, Throwable cause) throws Throwable {
    if (suspicion != null || cause instanceof TooLittleMemoryException) {
      throw cause;
    }
    suspicion = cause;
    if (isOfStore(cause)) {
      suspectEnd = readTo;
      return;
    }
    suspectEnd =
        rows != null ? rows.end() : Math.min(current.run().endRow(), readTo + SLICE_ROWS_MAX);
    goBack(current);
  }

  private static boolean isOfStore(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof StorageException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /// Goes back to the first row that is in no batch.
  private void goBack(DecodeUnit current) throws IOException {
    Rows begun = rows;
    if (begun != null) {
      RunPlace place = place(current.index(), begun, taken);
      resumeFrom = place.fileRow();
      resumeBehind = (int) place.behind();
    }
    rows = null;
    staged.clear();
    source.release();
    readTo = resumeFrom;
    counted = delivered - resumeBehind;
  }

  private static Throwable explained(Throwable cause, Run run) {
    if (cause instanceof TransformException) {
      return cause;
    }
    String rows = String.join(" and ", run.parts().stream().map(RunDecoder::rows).toList());
    if (cause instanceof TooLittleMemoryException needs) {
      return tooLittle(rows, needs);
    }
    if (!(cause instanceof IOException)) {
      return new IllegalStateException("Cannot decode " + rows + ": " + cause, cause);
    }
    String message = String.valueOf(cause.getMessage());
    boolean named = run.parts().stream().anyMatch(part -> message.contains(location(part)));
    return named ? cause : new IOException("Cannot read " + rows + ": " + cause, cause);
  }

  private static MemoryLimitException tooLittle(String rows, TooLittleMemoryException needs) {
    return new MemoryLimitException(
        "Cannot read "
            + rows
            + " with "
            + new ByteSize(needs.limit())
            + " of memory: at least "
            + needs.least()
            + " bytes are needed. Give more with memory(), or make batches smaller.",
        needs.least());
  }

  private static String location(RowRun part) {
    return part.file().info().location().text();
  }

  private static String rows(RowRun part) {
    return "rows [" + part.firstRow() + ", " + part.endRow() + ") of " + location(part);
  }

  private void end() throws IOException {
    unit = null;
    rows = null;
    staged.clear();
    source.close();
    if (!source.isKept()) { // Or else it stays at work, with the memory that it holds.
      begun = false;
      turn.giveUp();
    }
  }

  private void releaseAll() {
    staged.release();
    targetsByGroup.values().forEach(targets -> targets.forEach(SliceTarget::close));
    targetsByGroup.clear();
  }

  /// Closes what is open and gives all working memory back.
  @Override
  public void close() {
    try (Closeable _ = source::release) {
      end();
    } catch (IOException e) {
      // The rows were delivered or are no longer wanted: a failing close cannot change them.
      org.slf4j.LoggerFactory.getLogger(RunDecoder.class).warn("Cannot close a data file", e);
    } finally {
      releaseAll();
      turn.end();
    }
  }
}
