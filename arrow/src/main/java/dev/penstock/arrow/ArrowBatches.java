package dev.penstock.arrow;

import dev.penstock.batch.Batch;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/// Reads batches as Arrow vectors.
///
/// The loader must deliver [OutputFormat#ARROW]. Fields have the columns' names, types and
/// nullability; the elements of lists are named `element`, maps have `entries` of `key` and
/// `value`. Decimals are 128 bits wide, above 38 digits 256; UUIDs are 16 fixed bytes with the
/// extension name `arrow.uuid`; Parquet's intervals are 12 fixed bytes.
///
/// **Ownership.** Vectors lie in the batch's own memory; nothing is copied. They are the batch's:
/// closing it closes them, and reading them afterwards throws, as with any closed Arrow vector. A
/// reference that you retained, or a vector that you transferred out of the root, stays valid until
/// you release it; the memory goes back to the loader then. Do not write into the vectors.
///
/// **Threads.** As the batch.
public final class ArrowBatches {
  private ArrowBatches() {}

  /// Made when first needed, because Arrow cannot start in a JVM without its flags.
  private static final class Shared {
    private static final BufferAllocator ALLOCATOR = new RootAllocator();
  }

  /// Returns the columns of a batch as vectors, counted by [#allocator()] unless they were made by
  /// another one before.
  ///
  /// @param batch a batch of [OutputFormat#ARROW]
  /// @return the vectors, the same at every call, valid until the batch is closed
  /// @throws IllegalArgumentException if the batch is of another output format
  /// @throws IllegalStateException if the batch is closed, or Arrow cannot start in this JVM
  public static VectorSchemaRoot root(Batch batch) {
    return vectors(batch).root();
  }

  /// Returns the columns of a batch as vectors, counted by an allocator of yours: needed where
  /// vectors are to be transferred to other vectors of yours.
  ///
  /// @param batch a batch of [OutputFormat#ARROW]
  /// @param allocator the allocator; to be closed after the batch
  /// @return the vectors, the same at every call, valid until the batch is closed
  /// @throws IllegalArgumentException if the batch is of another output format
  /// @throws IllegalStateException if the batch is closed, or its vectors were made by another
  ///   allocator before
  /// @throws org.apache.arrow.memory.OutOfMemoryException if the batch is larger than the allocator
  ///   allows
  public static VectorSchemaRoot root(Batch batch, BufferAllocator allocator) {
    return vectors(batch).root(allocator);
  }

  /// Returns the allocator that counts the vectors of [#root(Batch)]: the memory of the batches
  /// that are open, and of the references to them.
  ///
  /// @return a root allocator without a limit, never closed
  /// @throws IllegalStateException if Arrow cannot start in this JVM, as without its flags
  public static BufferAllocator allocator() {
    try {
      return Shared.ALLOCATOR;
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "Cannot start Arrow: "
              + (e.getCause() == null ? e : e.getCause())
              + ". Start Java with --add-opens=java.base/java.nio=ALL-UNNAMED, and keep"
              + " arrow-memory-unsafe or arrow-memory-netty on the class path.",
          e);
    }
  }

  private static HeldVectors vectors(Batch batch) {
    return batch
        .held(HeldVectors.class)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "Cannot read "
                    + batch
                    + " as Arrow vectors: it was not delivered as such. Use"
                    + " LoaderOptions.output(OutputFormat.ARROW)."));
  }
}
