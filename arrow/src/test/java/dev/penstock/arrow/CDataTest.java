package dev.penstock.arrow;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Arrow's own importer is what a native library would be.
class CDataTest {
  private static final long RELEASE = 64; // in ArrowArray
  private static final long SCHEMA_RELEASE = 56; // in ArrowSchema

  @TempDir Path folder;
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment array = arena.allocate(80, 8);
  private final MemorySegment schema = arena.allocate(72, 8);

  private DataLoader rows() throws IOException {
    List<String> lines = new ArrayList<>(List.of("id,name"));
    for (int id = 0; id < 1000; id++) {
      lines.add(id + ",name " + id);
    }
    Files.write(folder.resolve("rows.csv"), lines);
    return DataLoader.of(
        new StructuredDataset(folder.toString()),
        o -> o.batchSize(100).workers(1).output(OutputFormat.ARROW));
  }

  private VectorSchemaRoot imported(BufferAllocator allocator) {
    try (CDataDictionaryProvider dictionaries = new CDataDictionaryProvider()) {
      return Data.importVectorSchemaRoot(
          allocator,
          ArrowArray.wrap(array.address()),
          ArrowSchema.wrap(schema.address()),
          dictionaries);
    }
  }

  private static void release(MemorySegment struct, long place) throws Throwable {
    Linker.nativeLinker()
        .downcallHandle(struct.get(ADDRESS, place), FunctionDescriptor.ofVoid(ADDRESS))
        .invokeExact(struct);
    assertThat(struct.get(ADDRESS, place)).isEqualTo(MemorySegment.NULL);
  }

  @Test
  void importedBatchLiesInTheLoadersMemoryUntilItIsReleased() throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      VectorSchemaRoot imported;
      DataLoader loader = rows();
      try (loader;
          EpochIterator<Batch> batches = loader.iterator()) {
        try (Batch batch = batches.next()) {
          ArrowBatches.export(batch, array, schema);
          imported = imported(allocator);
          for (int column = 0; column < 2; column++) {
            assertThat(imported.getVector(column).getDataBuffer().memoryAddress())
                .isEqualTo(
                    ArrowBatches.root(batch).getVector(column).getDataBuffer().memoryAddress());
          }
        }
        while (batches.hasNext()) { // which would be written over the first one
          batches.next().close();
        }
      }
      assertThat(loader.stats().memory().bytes()).isPositive();
      BigIntVector ids = (BigIntVector) imported.getVector("id");
      VarCharVector names = (VarCharVector) imported.getVector("name");
      assertThat(imported.getRowCount()).isEqualTo(100);
      for (int row = 0; row < 100; row++) {
        assertThat(ids.get(row)).isEqualTo(row);
        assertThat(names.getObject(row)).hasToString("name " + row);
      }
      imported.close();
      assertThat(loader.stats().memory().bytes()).isZero();
    }
  }

  @Test
  void batchThatNobodyImportsIsGivenBackByItsReleaseCallback() throws Throwable {
    DataLoader loader = rows();
    try (loader;
        Batch batch = loader.iterator().next()) {
      ArrowBatches.export(batch, array, schema);
    }
    assertThat(loader.stats().memory().bytes()).isPositive();
    release(schema, SCHEMA_RELEASE);
    release(array, RELEASE);
    assertThat(loader.stats().memory().bytes()).isZero();
  }

  @Test
  void everyTypeArrivesAsItIs() throws URISyntaxException {
    Path file =
        Path.of(Objects.requireNonNull(CDataTest.class.getResource("ipc/table.arrow")).toURI());
    try (BufferAllocator allocator = new RootAllocator();
        DataLoader loader =
            DataLoader.of(
                new StructuredDataset(file.toString()),
                o -> o.batchSize(7).output(OutputFormat.ARROW))) {
      for (Batch batch : loader) {
        try (batch) {
          ArrowBatches.export(batch, array, schema);
          try (VectorSchemaRoot imported = imported(allocator)) {
            VectorSchemaRoot root = ArrowBatches.root(batch);
            assertThat(imported.getSchema()).isEqualTo(root.getSchema());
            assertThat(imported.equals(root)).isTrue();
          }
        }
      }
    }
  }

  @Test
  void placesThatAreTooSmallAreRefused() throws IOException {
    try (DataLoader loader = rows();
        Batch batch = loader.iterator().next()) {
      assertThatThrownBy(() -> ArrowBatches.export(batch, array.asSlice(8), schema))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("an ArrowArray takes 80 bytes off-heap, at a multiple of 8.");
      assertThatThrownBy(
              () -> ArrowBatches.export(batch, array, MemorySegment.ofArray(new long[9])))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
