package dev.penstock.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/// Rows that an epoch has put on piles: each pile is a file of the cache that only the epoch knows,
/// with a column more, which says where in the pile each row belongs.
///
/// **Ownership.** [#close()] deletes them.
///
/// **Threads.** Any.
public final class Piles implements AutoCloseable {
  private static final DataType PLACE = DataType.int32();

  /// No column of a file has a type of this name.
  private static final long PLACE_KEY = FileKey.column("", "place in its pile");

  /// How many piles the disk reads at once, that of a worker and those that workers take next.
  private static final int READ_AHEAD = 3;

  /// Estimates are exceeded by rows that are larger than those before.
  private static final double ROOM_MORE = 1.05;

  private final CacheFolder folder;
  private final long[] columns;
  private final List<FileKey> keys = new ArrayList<>();
  private final AtomicIntegerArray rows; // of each pile so far
  private final AtomicIntegerArray done; // for each window, how many piles have its rows
  private final long expected;

  @GuardedBy("this")
  private final Deque<SegmentWriter> idle = new ArrayDeque<>();

  @GuardedBy("this")
  private final List<String> segments = new ArrayList<>();

  @GuardedBy("this")
  private long rowsWritten;

  @GuardedBy("this")
  private long bytesWritten;

  @GuardedBy("this")
  private int writers; // that are at work at the same time

  @GuardedBy("this")
  private boolean isClosed;

  Piles(CacheFolder folder, int count, int windows, Schema schema, long expected) {
    this.folder = folder;
    this.expected = expected;
    this.rows = new AtomicIntegerArray(count);
    this.done = new AtomicIntegerArray(windows);
    this.columns = new long[schema.size() + 1];
    for (int i = 0; i < schema.size(); i++) {
      columns[i] = CachedFile.key(schema.fields().get(i));
    }
    columns[schema.size()] = PLACE_KEY;
    String name = UUID.randomUUID().toString();
    for (int pile = 0; pile < count; pile++) {
      keys.add(FileKey.of(List.of(name, "pile", Integer.toString(pile))));
    }
  }

  /// Returns the column that says where in its pile each row belongs, a number of 4 bytes for each.
  public static ColumnSlice places(MemorySegment places, int count) {
    return ColumnSlice.fixed(PLACE, count, 0, null, places);
  }

  /// Puts the rows of a window on piles. A worker that has to read it again goes on where it was.
  public Window window(int window) {
    return new Window(window);
  }

  public CachedFile file(int pile) {
    return new CachedFile(folder, keys.get(pile), name(pile));
  }

  private static String name(int pile) {
    return "rows to shuffle, pile " + pile;
  }

  /// Ends writing: what was written can be read.
  public void finish() throws IOException {
    folder.keeper().expectPiles(0);
    for (SegmentWriter each = takeIdle(); each != null; each = takeIdle()) {
      finish(each);
    }
  }

  private void finish(SegmentWriter writer) throws IOException {
    String name = folder.writers().finishPiles(writer);
    if (name != null) {
      synchronized (this) {
        segments.add(name);
      }
    }
  }

  private synchronized @Nullable SegmentWriter takeIdle() {
    return idle.poll();
  }

  /// Returns the place of each of the `count` rows of a pile; each place comes once. The folder
  /// must be held.
  ///
  /// @throws PileException if rows are gone
  public int[] places(int pile, int count) throws PileException {
    for (int next = pile; next < Math.min(keys.size(), pile + READ_AHEAD); next++) {
      readSoon(next);
    }
    int[] places = new int[count];
    CachedFile file = file(pile);
    int row = 0;
    while (row < count) {
      CachedChunk held = file.find(PLACE_KEY, row);
      ColumnSlice slice = held == null || held.firstRow() != row ? null : held.slice(PLACE);
      if (slice == null || slice.rowCount() > count - row) {
        throw gone(pile);
      }
      MemorySegment.copy(
          slice.values(), ValueLayout.JAVA_INT_UNALIGNED, 0, places, row, slice.rowCount());
      row += slice.rowCount();
    }
    boolean[] isTaken = new boolean[count];
    for (int place : places) {
      if (place < 0 || place >= count || isTaken[place]) {
        throw gone(pile);
      }
      isTaken[place] = true;
    }
    return places;
  }

  /// Begins to read a pile from the disk: its rows lie here and there.
  private void readSoon(int pile) {
    CachedFile file = file(pile);
    int end = rows.get(pile);
    for (int row = 0; row < end; ) {
      CachedChunk held = file.find(PLACE_KEY, row);
      if (held == null) {
        return; // It was lost, and is missed when it is read.
      }
      held.readSoon();
      row = (int) held.endRow();
    }
  }

  /// Returns the error that rows of a pile cannot be read.
  public PileException gone(int pile) {
    return new PileException(
        Advice.of(
            "Cannot read %s, in the cache '%s': it was deleted or damaged since the epoch began."
                + " Begin the epoch again, or resume from the last state; give each process a cache"
                + " of its own.",
            name(pile), folder.path()));
  }

  @Override
  public void close() {
    List<String> written;
    synchronized (this) {
      isClosed = true;
      folder.keeper().expectPiles(0);
      written = List.copyOf(segments);
      segments.clear();
    }
    for (SegmentWriter each = takeIdle(); each != null; each = takeIdle()) {
      each.abandon();
    }
    folder.keeper().remove(written);
  }

  private synchronized PileException noRoom() {
    double all = (double) bytesWritten / Math.max(1, rowsWritten) * expected;
    return new PileException(
        Advice.of(
            "Cannot shuffle all rows: the cache '%s' has no room for them, with a limit of %s of"
                + " which %s bytes have %s of %s rows. %s",
            folder.path(),
            folder.limit(),
            bytesWritten,
            rowsWritten,
            expected,
            CacheFolder.advice(Math.round(all), writers + 1)));
  }

  private synchronized void countWriter() {
    writers++;
  }

  private synchronized void count(int more, long bytes) {
    rowsWritten += more;
    bytesWritten += bytes;
    double left = (double) bytesWritten / rowsWritten * (expected - rowsWritten) * ROOM_MORE;
    folder.keeper().expectPiles(isClosed ? 0 : Math.round(left)); // a worker may end late
  }

  private synchronized boolean keep(SegmentWriter open) {
    if (!isClosed) {
      idle.push(open);
    }
    return !isClosed;
  }

  /// Takes the rows of a window, pile by pile. One thread at a time.
  public final class Window implements AutoCloseable {
    private final int number;
    private @Nullable SegmentWriter writer;

    private Window(int number) {
      this.number = number;
    }

    /// Returns the number of the next pile; the number of piles when all have their rows.
    public int next() {
      return done.get(number);
    }

    /// Puts rows on the next pile: compact columns of the same length, the last with the places.
    ///
    /// @throws PileException if there is no room, or they cannot be written
    public void add(List<ColumnSlice> slices) throws PileException {
      if (slices.getFirst().rowCount() > 0) {
        try {
          write(next(), slices);
        } catch (PileException e) {
          throw e;
        } catch (IOException e) {
          throw new PileException(
              Advice.of(
                  "Cannot write rows to shuffle to the cache '%s': %s. See that its disk has room,"
                      + " or use %s.",
                  folder.path(), CacheFolder.reason(e), Remedy.SHUFFLE_WINDOW),
              e);
        }
      }
      done.incrementAndGet(number);
    }

    private void write(int pile, List<ColumnSlice> slices) throws IOException {
      int count = slices.getFirst().rowCount();
      SegmentWriter open = writer(pile, slices);
      int first = rows.getAndAdd(pile, count);
      open.add(keys.get(pile), name(pile), columns, first, slices);
      count(count, SegmentWriter.bytes(slices));
    }

    private SegmentWriter writer(int pile, List<ColumnSlice> slices) throws IOException {
      SegmentWriter open = writer != null ? writer : takeIdle();
      writer = open;
      if (open != null && open.hasRoom(keys.get(pile), name(pile), columns, slices)) {
        return open;
      }
      if (open != null) {
        writer = null;
        finish(open);
      } else {
        countWriter();
      }
      SegmentWriter made =
          folder.writers().createPiles(SegmentWriter.bytes(name(pile), columns, slices));
      if (made == null) {
        throw noRoom();
      }
      writer = made;
      return made;
    }

    /// Ends a window, also one that was not read to its end.
    @Override
    public void close() {
      SegmentWriter open = writer;
      writer = null;
      if (open == null) {
        return;
      }
      open.forget();
      if (!keep(open)) {
        open.abandon();
      }
    }
  }
}
