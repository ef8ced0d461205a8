package dev.penstock.arrow;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.Batch;
import dev.penstock.spi.format.UnsafeAccess;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/// Reads batches as Arrow vectors.
///
/// The loader must deliver [dev.penstock.batch.OutputFormat#ARROW]. Fields have the columns' names,
/// types and nullability; the elements of lists are named `element`, maps have `entries` of `key`
/// and `value`. Decimals are 128 bits wide, above 38 digits 256; UUIDs are 16 fixed bytes with the
/// extension name `arrow.uuid`; Parquet's intervals are 12 fixed bytes.
///
/// **Ownership.** Vectors lie in the batch's own memory; nothing is copied. They belong to the
/// batch: closing it closes them, and reading them afterwards throws, as with any closed Arrow
/// vector. A reference that you retained, or a vector that you transferred out of the root, stays
/// valid until you release it; then the memory returns to the loader. Do not write to the vectors.
///
/// **Threads.** As the batch.
public final class ArrowBatches {
  private static final String OPEN = "--add-opens=java.base/java.nio=ALL-UNNAMED";
  private static final long ARRAY_BYTES = 80;
  private static final long SCHEMA_BYTES = 72;

  private ArrowBatches() {}

  /// Made on first use, because Arrow cannot start in a JVM without its flags.
  private static final class Shared {
    private static final @Nullable BufferAllocator ALLOCATOR;
    private static final @Nullable LinkageError FAILURE;

    static {
      BufferAllocator allocator = null;
      LinkageError failure = null;
      try {
        allocator = new RootAllocator();
      } catch (LinkageError e) {
        failure = e;
      }
      ALLOCATOR = allocator;
      FAILURE = failure;
    }
  }

  /// Returns the columns of a batch as vectors, allocated by [#allocator()] unless another
  /// allocator made them before.
  ///
  /// @param batch a batch of [dev.penstock.batch.OutputFormat#ARROW]
  /// @return the vectors, the same at every call, valid until the batch is closed
  /// @throws IllegalArgumentException if the batch is of another output format
  /// @throws IllegalStateException if the batch is closed, or Arrow cannot start in this JVM
  public static VectorSchemaRoot root(Batch batch) {
    return vectors(batch).root();
  }

  /// Returns the columns of a batch as vectors, counted by your own allocator: needed to transfer
  /// vectors to your other vectors.
  ///
  /// @param batch a batch of [dev.penstock.batch.OutputFormat#ARROW]
  /// @param allocator the allocator; close it after the batch
  /// @return the vectors, the same at every call, valid until the batch is closed
  /// @throws IllegalArgumentException if the batch is of another output format
  /// @throws IllegalStateException if the batch is closed, or another allocator made its vectors
  ///   before
  /// @throws org.apache.arrow.memory.OutOfMemoryException if the batch is larger than the allocator
  ///   allows
  public static VectorSchemaRoot root(Batch batch, BufferAllocator allocator) {
    return vectors(batch).root(allocator);
  }

  /// Returns the allocator that counts the vectors of [#root(Batch)]: the memory of open batches,
  /// and of references to them.
  ///
  /// @return a root allocator without a limit, never closed
  /// @throws IllegalStateException if Arrow cannot start in this JVM, as without its flags
  public static BufferAllocator allocator() {
    if (Shared.ALLOCATOR != null) {
      return Shared.ALLOCATOR;
    }
    LinkageError failure = Objects.requireNonNull(Shared.FAILURE);
    throw new IllegalStateException("Cannot start Arrow: " + explained(failure), failure);
  }

  private static String explained(LinkageError failure) {
    if (UnsafeAccess.isDenied(failure)) {
      return ("its memory uses sun.misc.Unsafe, and this JVM denies that. Start Java with %s"
              + " and %s.")
          .formatted(UnsafeAccess.FLAG, OPEN);
    }
    Throwable cause = failure.getCause();
    return ("%s. Start Java with %s, and keep arrow-memory-unsafe or arrow-memory-netty on"
            + " the class path.")
        .formatted(cause == null ? failure : cause, OPEN);
  }

  /// Passes the columns of a batch to a native library, by Arrow's C Data Interface: an
  /// `ArrowArray` of one struct whose fields are the columns, and its `ArrowSchema`. Nothing is
  /// copied.
  ///
  /// **Ownership.** The library owns both structures and calls their release callbacks. The memory
  /// returns to the loader once the array was released and the batch is closed, in either order,
  /// even after the loader was closed. Release structures that no library takes yourself. The
  /// library must not write to the memory.
  ///
  /// @param batch a batch of [dev.penstock.batch.OutputFormat#ARROW]
  /// @param array where the `ArrowArray` is written, 80 bytes
  /// @param schema where the `ArrowSchema` is written, 72 bytes
  /// @throws IllegalArgumentException if the batch is of another output format, or a memory segment
  ///   is too small or on the heap
  /// @throws IllegalStateException if the batch is closed, or Arrow cannot start in this JVM
  public static void export(Batch batch, MemorySegment array, MemorySegment schema) {
    requirePlace("ArrowArray", array, ARRAY_BYTES);
    requirePlace("ArrowSchema", schema, SCHEMA_BYTES);
    VectorSchemaRoot root = root(batch);
    Data.exportVectorSchemaRoot(
        allocator(),
        root,
        null,
        ArrowArray.wrap(array.address()),
        ArrowSchema.wrap(schema.address()));
  }

  private static void requirePlace(String struct, MemorySegment place, long bytes) {
    if (!place.isNative() || place.byteSize() < bytes || place.address() % 8 != 0) {
      throw new IllegalArgumentException(
          ("Cannot export to %s: an %s takes %s bytes off-heap, at a multiple of 8. Of a"
                  + " bare address make a segment by"
                  + " MemorySegment.ofAddress(address).reinterpret(%s).")
              .formatted(place, struct, bytes, bytes));
    }
  }

  private static HeldVectors vectors(Batch batch) {
    return batch
        .held(HeldVectors.class)
        .orElseThrow(() ->
            Advice.argumentError(
                "Cannot read Batch of %s rows %s as Arrow vectors: it was not delivered as"
                    + " such. Use %s.",
                batch.rowCount(),
                batch.names(),
                Remedy.of("output", "arrow", "LoaderOptions.output(OutputFormat.ARROW)")));
  }
}
