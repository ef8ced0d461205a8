package dev.penstock.internal.steps;

import dev.penstock.internal.hash.XxHash64;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.RowSet;
import dev.penstock.steps.StepRow;
import dev.penstock.storage.Location;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes digests as [dev.penstock.steps.StepDigest] says, of rows that were delivered or that are
/// to be.
///
/// **Threads.** One at a time.
public final class RowDigests {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final List<Map<Location, Named>> sources = new ArrayList<>();
  private @Nullable Named last; // rows come from the same file often
  private byte[] bytes = new byte[1 << 15];
  private int length;

  /// The digest of a batch's rows.
  ///
  /// @param rows how many there are
  public record OfRows(int rows, long digest) {}

  /// A file of a source, with the hash of its name.
  private static final class Named {
    private final int source;
    private final TableFile file;
    private final long hash;
    private @Nullable RowSet live;
    private boolean isLiveKnown;

    Named(int source, TableFile file, int folder) {
      this.source = source;
      this.file = file;
      String name = file.location().text().substring(folder);
      this.hash = XxHash64.hash(name.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns where a live row is stored.
    long stored(long row) {
      if (!isLiveKnown) {
        live = file.live().orElse(null);
        isLiveKnown = true;
      }
      return live == null ? row : live.row(row);
    }
  }

  /// @param files all files of each source, which may have other deleted rows in the same file
  public RowDigests(List<List<TableFile>> files) {
    int folder = folder(files.stream().flatMap(List::stream).toList());
    for (List<TableFile> each : files) {
      Map<Location, Named> own = new HashMap<>();
      for (TableFile file : each) {
        own.put(file.location(), new Named(sources.size(), file, folder));
      }
      sources.add(own);
    }
  }

  /// Returns how many characters of all locations are the folder that they have in common.
  private static int folder(List<TableFile> files) {
    if (files.isEmpty()) {
      return 0;
    }
    String first = files.getFirst().location().text();
    int common = first.length();
    for (TableFile file : files) {
      String other = file.location().text();
      common = Math.min(common, other.length());
      for (int i = 0; i < common; i++) {
        common = first.charAt(i) == other.charAt(i) ? common : i;
      }
    }
    return first.lastIndexOf('/', common - 1) + 1;
  }

  /// Returns the digest of rows that were delivered.
  public OfRows of(List<List<RowPart>> rows) {
    length = 0;
    for (List<RowPart> row : rows) {
      for (RowPart part : row) {
        add(part);
      }
    }
    return done(rows.size());
  }

  private void add(RowPart part) {
    RowOrigin origin = part.origin();
    Named file = named(part.source(), origin.file());
    long row = file.stored(origin.first());
    add(file.hash, row, origin.isRange() ? file.stored(origin.end() - 1) + 1 : row + 1);
    if (!part.isWhole()) {
      add(part.from(), part.count());
    }
  }

  /// Returns the digests of a rank's steps that have rows.
  ///
  /// @param rows by step, then place; those that one row was made of have its place
  public Map<Long, OfRows> bySteps(Stream<StepRow> rows) {
    Map<Long, OfRows> found = new HashMap<>();
    long step = -1;
    int place = -1;
    int count = 0;
    length = 0;
    for (Iterator<StepRow> each = rows.iterator(); each.hasNext(); ) {
      StepRow row = each.next();
      if (row.step() != step && count > 0) {
        found.put(step, done(count));
        length = 0;
        count = 0;
      }
      count += count == 0 || row.place() != place ? 1 : 0;
      step = row.step();
      place = row.place();
      int source = (int) row.source().orElse(0);
      add(named(source, row.file()).hash, row.row(), row.endRow());
      row.part().ifPresent(part -> add(part.from(), part.count()));
    }
    if (count > 0) {
      found.put(step, done(count));
    }
    return found;
  }

  /// Returns the digest of a batch without rows.
  public static OfRows none() {
    return new OfRows(0, XxHash64.hash(new byte[0]));
  }

  private Named named(int source, Location location) {
    Named known = last;
    if (known == null || known.source != source || !known.file.location().equals(location)) {
      known = sources.get(source).get(location);
      if (known == null) {
        throw new IllegalStateException("The dataset has no file " + location + ".");
      }
      last = known;
    }
    return known;
  }

  private void add(long hash, long row, long endRow) {
    room(3);
    LONG.set(bytes, length, hash);
    LONG.set(bytes, length + 8, row);
    LONG.set(bytes, length + 16, endRow);
    length += 24;
  }

  private void add(long from, long count) {
    room(2);
    LONG.set(bytes, length, from);
    LONG.set(bytes, length + 8, count);
    length += 16;
  }

  private void room(int longs) {
    if (length + 8 * longs > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
  }

  private OfRows done(int rows) {
    return new OfRows(rows, XxHash64.hash(MemorySegment.ofArray(bytes), 0, length));
  }
}
