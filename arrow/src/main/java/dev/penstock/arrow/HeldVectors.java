package dev.penstock.arrow;

import dev.penstock.batch.HeldColumns;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/// The columns of one batch, as Arrow vectors that are made on first use.
///
/// Arrow counts references to each piece of memory. The memory of a batch returns to the loader
/// when Arrow has freed all its pieces and the batch is closed.
///
/// **Threads.** Safe for any.
final class HeldVectors implements HeldColumns {
  private final Schema schema;
  private final int rowCount;
  private final List<ColumnSlice> columns;
  private final List<MemorySegment> memory;
  private final Runnable release;

  /// The number of pieces that Arrow has not freed, plus one until the batch is closed.
  private final AtomicInteger uses = new AtomicInteger(1);

  private @Nullable VectorSchemaRoot root;
  private @Nullable BufferAllocator allocator;
  private boolean closed;

  HeldVectors(
      Schema schema,
      int rowCount,
      List<ColumnSlice> columns,
      List<MemorySegment> memory,
      Runnable release) {
    this.schema = schema;
    this.rowCount = rowCount;
    this.columns = columns;
    this.memory = memory;
    this.release = release;
  }

  /// Returns the root, making it if there is none.
  synchronized VectorSchemaRoot root() {
    return root == null ? root(ArrowBatches.allocator()) : root;
  }

  /// Returns the root, made by an allocator.
  @SuppressWarnings("ReferenceEquality") // an allocator equals only itself
  synchronized VectorSchemaRoot root(BufferAllocator wanted) {
    if (closed) {
      throw new IllegalStateException("Cannot use this batch: it is closed.");
    }
    if (root == null) {
      root = make(wanted);
      allocator = wanted;
    } else if (allocator != wanted) {
      throw new IllegalStateException(
          "Cannot make the batch's vectors with allocator '"
              + wanted.getName()
              + "': they were made with another one before.");
    }
    return root;
  }

  private VectorSchemaRoot make(BufferAllocator from) {
    NavigableMap<Long, ArrowBuf> pieces = new TreeMap<>();
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (MemorySegment piece : memory) {
        pieces.put(piece.address(), wrap(piece, from));
      }
      for (Field field : schema.getFields()) {
        FieldVector vector = field.createVector(from);
        vectors.add(vector);
        load(vector, columns.get(vectors.size() - 1), pieces, from);
      }
      return new VectorSchemaRoot(schema, vectors, rowCount);
    } catch (Throwable e) {
      vectors.forEach(FieldVector::close);
      throw e;
    } finally {
      // The vectors hold their own references.
      pieces.values().forEach(piece -> piece.getReferenceManager().release());
    }
  }

  private ArrowBuf wrap(MemorySegment piece, BufferAllocator from) {
    uses.incrementAndGet();
    try {
      return from.wrapForeignAllocation(
          new ForeignAllocation(piece.byteSize(), piece.address()) {
            @Override
            protected void release0() {
              drop();
            }
          });
    } catch (Throwable e) {
      drop();
      throw e;
    }
  }

  private static void load(
      FieldVector vector,
      ColumnSlice column,
      NavigableMap<Long, ArrowBuf> pieces,
      BufferAllocator from) {
    List<ArrowBuf> buffers = new ArrayList<>(3);
    buffers.add(buffer(column.validity(), pieces, from));
    if (column.offsets() != null) {
      buffers.add(buffer(column.offsets(), pieces, from));
    }
    if (!column.type().isNested()) {
      buffers.add(buffer(column.values(), pieces, from));
    }
    vector.loadFieldBuffers(new ArrowFieldNode(column.rowCount(), column.nullCount()), buffers);
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < children.size(); i++) {
      load(children.get(i), column.children().get(i), pieces, from);
    }
  }

  /// Returns the part of a piece that a segment covers.
  private static ArrowBuf buffer(
      @Nullable MemorySegment segment, NavigableMap<Long, ArrowBuf> pieces, BufferAllocator from) {
    if (segment == null || segment.byteSize() == 0) {
      return from.getEmpty();
    }
    Map.Entry<Long, ArrowBuf> piece = pieces.floorEntry(segment.address());
    if (piece == null) {
      throw new IllegalStateException("A segment of the batch is not in its memory.");
    }
    // Out of bounds if the segment is in none of the pieces.
    return piece.getValue().slice(segment.address() - piece.getKey(), segment.byteSize());
  }

  private void drop() {
    if (uses.decrementAndGet() == 0) {
      release.run();
    }
  }

  @Override
  public FieldVector column(String name) {
    return root().getVector(name);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (root != null) {
        root.close();
      }
    } finally {
      drop();
    }
  }
}
