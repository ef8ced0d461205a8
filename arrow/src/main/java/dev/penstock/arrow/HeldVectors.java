package dev.penstock.arrow;

import dev.penstock.batch.HeldColumns;
import dev.penstock.format.ColumnSlice;
import dev.penstock.schema.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/// The columns of one batch, as Arrow vectors once somebody asks for them.
///
/// Arrow counts who uses a buffer. Every segment of the batch becomes a buffer of its own, and the
/// memory goes back when Arrow has freed all of them and the batch is closed.
///
/// **Threads.** Safe for any.
final class HeldVectors implements HeldColumns {
  private final Schema schema;
  private final int rowCount;
  private final List<ColumnSlice> columns;
  private final Runnable release;

  /// The buffers that Arrow has not freed, and one for the batch until it is closed.
  private final AtomicInteger uses = new AtomicInteger(1);

  private @Nullable VectorSchemaRoot root;
  private @Nullable BufferAllocator allocator;
  private boolean closed;

  HeldVectors(Schema schema, int rowCount, List<ColumnSlice> columns, Runnable release) {
    this.schema = schema;
    this.rowCount = rowCount;
    this.columns = columns;
    this.release = release;
  }

  /// Returns the root if there is one, and makes it otherwise.
  synchronized VectorSchemaRoot root() {
    return root == null ? root(ArrowBatches.allocator()) : root;
  }

  /// Returns the root, made by an allocator.
  @SuppressWarnings("ReferenceEquality") // an allocator is itself only
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
    org.apache.arrow.vector.types.pojo.Schema fields = ArrowTypes.schema(schema);
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (Field field : fields.getFields()) {
        FieldVector vector = field.createVector(from);
        vectors.add(vector);
        load(vector, columns.get(vectors.size() - 1), from);
      }
      return new VectorSchemaRoot(fields, vectors, rowCount);
    } catch (Throwable e) {
      vectors.forEach(FieldVector::close);
      throw e;
    }
  }

  private void load(FieldVector vector, ColumnSlice column, BufferAllocator from) {
    List<ArrowBuf> buffers = new ArrayList<>();
    try {
      for (MemorySegment segment : segments(column)) {
        buffers.add(buffer(segment, from));
      }
      vector.loadFieldBuffers(new ArrowFieldNode(column.rowCount(), column.nullCount()), buffers);
    } finally {
      // The vector holds references of its own.
      buffers.forEach(buffer -> buffer.getReferenceManager().release());
    }
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < children.size(); i++) {
      load(children.get(i), column.children().get(i), from);
    }
  }

  /// Returns the buffers that Arrow has for a column, in its order.
  private static List<@Nullable MemorySegment> segments(ColumnSlice column) {
    List<@Nullable MemorySegment> segments = new ArrayList<>();
    segments.add(column.validity());
    if (column.offsets() != null) {
      segments.add(column.offsets());
    }
    if (!column.type().isNested()) {
      segments.add(column.values());
    }
    return segments;
  }

  private ArrowBuf buffer(@Nullable MemorySegment segment, BufferAllocator from) {
    if (segment == null || segment.byteSize() == 0) {
      return from.getEmpty();
    }
    uses.incrementAndGet();
    try {
      return from.wrapForeignAllocation(
          new ForeignAllocation(segment.byteSize(), segment.address()) {
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
    if (root != null) {
      root.close();
    }
    drop();
  }
}
