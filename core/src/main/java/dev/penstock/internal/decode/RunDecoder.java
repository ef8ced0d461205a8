package dev.penstock.internal.decode;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.NullValueException;
import dev.penstock.format.LibraryException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.cache.PileException;
import dev.penstock.internal.choice.Libraries;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.memory.NoRoomException;
import dev.penstock.internal.memory.TooLittleMemoryException;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.RunPlace;
import dev.penstock.internal.slices.RowReader;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.workers.UserCode;
import dev.penstock.internal.workers.WorkerFailure;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.StorageException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What one worker does: take a run of rows and a group of columns, decode them slice by slice,
/// give each slice to a sink.
///
/// Where a run's rows go is known once the runs before it are counted. Until then they are staged,
/// as many as may be.
///
/// **Threads.** One at a time.
final class RunDecoder implements AutoCloseable {
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
   * arrives, and it is not asked again.
   *
   * An interrupt of a consumer that decodes itself may close the file under it. That is no failure:
   * the next call opens it again, at the last row that was taken. */

  /// So many times fewer rows are read at once when there is too little memory.
  private static final int FEWER = 8;

  private final Supplier<@Nullable DecodeUnit> units;
  private final RunSource source;
  private final EarlyRows staged;
  private final MemoryTurn turn;
  private final RowSink sink;
  private final boolean isInline;

  private @Nullable DecodeUnit unit;
  private boolean begun; // the unit, by having been let in
  private boolean isPlaced; // where the run's rows go is known
  private long delivered; // rows of the run that the sink has taken
  private long counted; // rows of the run that it has taken, or that are staged
  private boolean isCounted; // the run, for all to know
  private long readTo; // the file's row behind those that were read
  private long resumeFrom; // the file's row before which the sink has taken all wanted ones
  private int resumeBehind; // rows that come again from there and were taken
  private int passed; // of these, those that are not yet read again
  private @Nullable Rows rows; // on their way to the sink
  private int taken; // of them

  private int rowsAtOnce = Decoding.SLICE_ROWS_MAX;
  private @Nullable RunPlace begunAt; // from where all was read anew that is held

  private @Nullable Throwable suspicion; // what failed, while its rows are read one by one
  private long suspectEnd;
  private boolean isOfRow; // whether it is a row that cannot be delivered: that fails again

  /// @param staged holds rows until their places are known
  RunDecoder(
      Supplier<@Nullable DecodeUnit> units,
      RunSource source,
      EarlyRows staged,
      MemoryTurn turn,
      RowSink sink,
      boolean isInline) {
    this.units = units;
    this.source = source;
    this.staged = staged;
    this.turn = turn;
    this.sink = sink;
    this.isInline = isInline;
  }

  /// Decodes one slice, gives what may be given of one, or takes the next unit. Whatever goes wrong
  /// is told to the sink, but for an interrupt of the consumer, after which the thread is
  /// interrupted.
  ///
  /// @return false when there is nothing left to do
  boolean step() {
    DecodeUnit current = unit;
    if (current == null) {
      current = units.get();
      if (current == null) {
        return false;
      }
      begin(current);
    }
    try {
      if (!begun && !turn.begin()) {
        return false;
      }
      begun = true;
      MemoryTurn.check();
      isPlaced = isPlaced || sink.isPlaced(current.index());
      return isPlaced ? deliver(current) : readAhead(current);
    } catch (NoRoomException e) {
      return giveUp(current, e.isAlone());
    } catch (Throwable e) {
      if (isInterrupt(e)) {
        return pause(current);
      }
      fail(current, e);
      return false;
    }
  }

  private boolean isInterrupt(Throwable failure) {
    return isInline
        && (isBy(InterruptedException.class, failure) || Thread.currentThread().isInterrupted());
  }

  private static boolean isBy(Class<? extends Exception> kind, Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !kind.isInstance(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /// Goes back to the last row that was taken, and closes what an interrupt may have broken.
  private boolean pause(DecodeUnit current) {
    Thread.currentThread().interrupt(); // who was told of it may have taken the mark away
    try {
      goBack(current);
      return true;
    } catch (Throwable e) {
      fail(current, e);
      return false;
    }
  }

  /// Gives back all memory, for workers that are before this one or to hold less, and goes back to
  /// the last row that was taken.
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
    if (!isPlaced) { // The runs before, for which it waits, may need its memory.
      giveBack(current, cause);
    }
    if (isPlaced || sink.awaitPlace(current.index())) {
      Throwable explained = explained(cause, current.run());
      // Too much memory may be noticed when all rows were taken: then the last one failed.
      boolean isBehind = delivered > 0 && resumeFrom == current.run().endRow();
      sink.fail(current, isBehind ? delivered - 1 : delivered, explained);
    }
  }

  private void giveBack(DecodeUnit current, Throwable cause) {
    try {
      goBack(current);
    } catch (IOException e) {
      if (!e.equals(cause)) {
        cause.addSuppressed(e);
      }
    }
    releaseAll();
    turn.giveUp();
  }

  private void begin(DecodeUnit next) {
    unit = next;
    isPlaced = false;
    delivered = 0;
    counted = -next.run().behind();
    isCounted = false;
    readTo = next.run().firstRow();
    resumeFrom = readTo;
    resumeBehind = (int) next.run().behind();
    passed = resumeBehind;
    suspicion = null;
    rowsAtOnce = Math.min(Decoding.SLICE_ROWS_MAX, rowsAtOnce * FEWER);
    begunAt = null;
    sink.tell(turn, next, delivered);
  }

  /// Stages rows until there are enough; then waits for the runs before to be counted.
  private boolean readAhead(DecodeUnit current) throws Throwable {
    if (isAtEnd(current)) {
      end();
    } else if (readTo == current.run().endRow() || suspicion != null || staged.isFull()) {
      isPlaced = sink.awaitPlace(current.index());
      return isPlaced;
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
    if (sink.room(current, delivered) < 0) {
      return false;
    }
    try {
      if (rows == null) {
        prepare(current);
      }
      // Asked again: which row is the last may be known only now.
      int room = sink.room(current, delivered);
      if (room < 0) {
        return false;
      }
      give(current, room);
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
    RowReader reader = source.read(current, readTo, suspicion == null ? rowsAtOnce : 1, isPlaced);
    turn.requireEnough();
    readTo = reader.end();
    if (suspicion != null && readTo >= suspectEnd && !isOfRow) {
      throw suspicion; // All others could be read: the last one must be the faulty one.
    }
    counted += reader.count();
    long inAll = readTo == current.run().endRow() ? counted : source.count();
    if (inAll >= 0 && !isCounted) {
      isCounted = true;
      sink.counted(current.index(), inAll, source.batches(), source.skipped(inAll));
    }
    return reader;
  }

  private void prepare(DecodeUnit current) throws Throwable {
    Rows next = next(current);
    while (passed > next.count() && next.rowsBeforeEnd() > 0) { // more is made with these
      passed -= next.count();
      next = next(current);
    }
    if (passed > next.count()) { // A transform gave fewer rows than before.
      throw suspicion != null ? suspicion : lost(next);
    }
    rows = next;
    taken = passed;
    passed = 0;
    if (next.count() > 0) {
      sink.prepare(current, next);
    }
  }

  private Rows next(DecodeUnit current) throws Throwable {
    Rows next = staged.poll();
    return next == null ? read(current) : next;
  }

  private WorkerFailure lost(Rows next) {
    String sentence =
        Sentence.of(
            "Cannot go on behind row %s of those that are made from row %s of %s: it"
                + " makes %s. A transform must give the same rows each time, and files must"
                + " not change.",
            passed, resumeFrom, next.file(), next.count());
    return new WorkerFailure(sentence, new IllegalStateException(sentence));
  }

  private void give(DecodeUnit current, int room) throws IOException {
    Rows from = rows;
    if (from == null) {
      return;
    }
    int end = (int) Math.min(from.count(), (long) taken + room);
    int count = 1;
    try {
      while (taken < end && count > 0) {
        count = sink.take(current, from, taken, end - taken, delivered);
        taken += count;
        delivered += count;
      }
    } finally {
      sink.tell(turn, current, delivered);
      sink.flush();
    }
    if (taken == from.count()) {
      resumeFrom = from.end();
      resumeBehind = from.rowsBeforeEnd();
      rows = null;
    }
  }

  /// Begins to read row by row what was not delivered, unless it was a store that failed.
  private void retry(DecodeUnit current, Throwable cause) throws Throwable {
    if (suspicion != null
        || cause instanceof TooLittleMemoryException
        || cause instanceof PileException
        || isInterrupt(cause)) {
      throw cause;
    }
    suspicion = cause;
    isOfRow = rows != null && cause instanceof IOException;
    if (isBy(StorageException.class, cause)) {
      suspectEnd = readTo;
      return;
    }
    suspectEnd =
        rows != null
            ? rows.end()
            : Math.min(current.run().endRow(), readTo + Decoding.SLICE_ROWS_MAX);
    goBack(current);
  }

  private void goBack(DecodeUnit current) throws IOException {
    Rows begun = rows;
    if (begun != null) {
      RunPlace place = current.placeBehind(begun, taken);
      resumeFrom = place.fileRow();
      resumeBehind = (int) place.behind();
    }
    rows = null;
    staged.clear();
    source.release();
    readTo = resumeFrom;
    passed = resumeBehind;
    counted = delivered - resumeBehind;
  }

  private static Throwable explained(Throwable cause, Run run) {
    if (cause instanceof WorkerFailure
        || cause instanceof LibraryException
        || cause instanceof PileException
        || cause instanceof NullValueException) {
      return cause;
    }
    Optional<String> library = Libraries.blamed(cause);
    if (library.isPresent()) {
      return new LibraryException(library.get(), cause);
    }
    String rows =
        run.parts().isEmpty()
            ? run.rowCount() + " rows of the shuffle"
            : String.join(" and ", run.parts().stream().map(RunDecoder::rows).toList());
    if (cause instanceof TooLittleMemoryException needs) {
      return new MemoryLimitException(
          Advice.of(
              "Cannot read %s with %s of memory: at least %s bytes are needed. Give more"
                  + " with %s, or make batches smaller.",
              rows, new ByteSize(needs.limit()), needs.least(), Remedy.call("memory")),
          needs.least());
    }
    String message = String.valueOf(cause.getMessage());
    boolean named =
        run.parts().isEmpty()
            ? cause instanceof MalformedFileException
            : run.parts().stream().anyMatch(part -> message.contains(location(part)));
    if (!(cause instanceof IOException)) {
      return new WorkerFailure(named ? message : "Cannot decode " + rows + ": " + cause, cause);
    }
    return named ? cause : new WorkerFailure("Cannot read " + rows + ": " + cause, cause);
  }

  private static String location(RowRun part) {
    return part.file().info().location().toString();
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
    sink.release();
  }

  /// Closes what is open and gives all working memory back.
  @Override
  public void close() {
    try (Closeable _ = source::release) {
      end();
    } catch (IOException e) {
      // The rows were delivered or are no longer wanted: a failing close cannot change them.
      UserCode.warn(RunDecoder.class, "Cannot close a data file", e);
    } finally {
      releaseAll();
      turn.end();
    }
  }
}
