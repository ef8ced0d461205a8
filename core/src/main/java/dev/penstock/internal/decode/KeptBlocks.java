package dev.penstock.internal.decode;

import dev.penstock.internal.cache.CachedChunk;
import dev.penstock.internal.cache.CachedFile;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.slices.Rows;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.transform.ColumnBlock;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a transform with a version makes of blocks, in the cache. A block is known by its contents,
/// so that neither files, filters nor cuts between ranks need to be the same; a block of which no
/// row is made is not kept.
///
/// **Ownership.** Holds the cache's folder until [#close()].
///
/// **Threads.** One at a time.
final class KeptBlocks implements AutoCloseable {
  /// Which row of the block each row was made of; [#UNKNOWN] where only the transform knows.
  private static final Field ROWS = new Field("", new DataType.Int(32, true), false);

  private static final int UNKNOWN = -1;

  private final CachedFile file;
  private final BlockTransform transform;
  private final String version;
  private final long[] keys; // of the columns that it makes, then of ROWS
  private @Nullable CachedFile block;
  private @Nullable IntUnaryOperator rows;

  private KeptBlocks(CachedFile file, BlockTransform transform, String version) {
    this.file = file;
    this.transform = transform;
    this.version = version;
    this.keys = columns().stream().mapToLong(CachedFile::key).toArray();
    file.folder().hold();
  }

  private List<Field> columns() {
    List<Field> all = new ArrayList<>(transform.output().fields());
    all.add(ROWS);
    return all;
  }

  /// Returns null without a version or a cache, and where the transform is only asked for no
  /// column.
  static @Nullable KeptBlocks of(RowRun run, BlockTransform transform) {
    return transform
        .version()
        .filter(_ -> transform.output().size() > 0)
        .flatMap(version ->
            run.file().cached().map(each -> new KeptBlocks(each.file(), transform, version)))
        .orElse(null);
  }

  Schema made() {
    return transform.output();
  }

  /// Returns what was made of a block, valid until [#close()]; null if the cache does not have it.
  @Nullable ColumnBlock find(Rows given, List<ColumnSlice> slices) {
    CachedFile wanted = file.block(version, transform.output(), transform.input(), slices);
    block = wanted;
    rows = null;
    List<ColumnSlice> found = new ArrayList<>();
    long bytes = 0;
    for (Field column : columns()) {
      CachedChunk chunk = wanted.find(keys[found.size()], 0);
      ColumnSlice slice = chunk == null ? null : chunk.slice(column.type());
      if (chunk == null || slice == null) {
        return null;
      }
      found.add(slice);
      bytes = Math.max(bytes, chunk.bytes());
    }
    ColumnSlice ofRows = found.removeLast();
    int count = ofRows.rowCount();
    int[] each = ofRows.values().asSlice(0, 4L * count).toArray(Raw.INT);
    for (int row : each) {
      if (row < UNKNOWN || row >= given.count()) {
        return null;
      }
    }
    if (found.stream().anyMatch(slice -> slice.rowCount() != count)) {
      return null;
    }
    rows = each.length == 0 || each[0] == UNKNOWN ? null : row -> each[row];
    StageClock.current().addCached(bytes);
    return new ColumnBlock(transform.output(), count, found);
  }

  /// Returns the row given of each row of what was found; null if only the transform knows.
  @Nullable IntUnaryOperator rows() {
    return rows;
  }

  /// Keeps what was made of the block that was not found.
  void keep(Rows made, @Nullable IntUnaryOperator rowsGiven) {
    List<ColumnSlice> slices = new ArrayList<>();
    for (int i = 0; i < transform.output().size(); i++) {
      slices.add(made.column(i));
    }
    int count = made.count();
    if (count == 0 || !slices.stream().allMatch(CachedFile.Recorder::isCompact)) {
      return;
    }
    ByteBuffer each = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int row = 0; row < count; row++) {
      each.putInt(rowsGiven == null ? UNKNOWN : rowsGiven.applyAsInt(row));
    }
    slices.add(ColumnSlice.fixed(ROWS.type(), count, 0, null, MemorySegment.ofArray(each.array())));
    try (CachedFile.Recorder recorder = Objects.requireNonNull(block).new Recorder(keys)) {
      recorder.add(0, slices);
    }
  }

  @Override
  public void close() {
    file.folder().release();
  }
}
