package dev.penstock.blackbox.cases;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.dlpack.DlpackTensor;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DlpackTest {
  private static final String FLIGHTS =
      Path.of(
              Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."),
              "cli/src/main/resources/dev/penstock/cli/demo/flights/part-7.parquet")
          .toString();

  @Test
  void exportOutlivesBatchAndLoaderUntilItsDeleterIsCalled() throws Throwable {
    DlpackTensor export;
    MemorySegment memory;
    long[] expected;
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(FLIGHTS).columns("distance"),
            o -> o.batchSize(1000).workers(2))) {
      try (EpochIterator<Batch> batches = loader.iterator()) {
        try (Batch batch = batches.next()) {
          Tensor distance = batch.tensor("distance");
          memory = distance.memory();
          expected = (long[]) distance.toArray();
          export = DlpackTensor.managed(distance);
        }
        while (batches.hasNext()) { // which would be written over the first one
          batches.next().close();
        }
      }
    }
    MemorySegment struct = MemorySegment.ofAddress(export.pointer().address()).reinterpret(64);
    MemorySegment data = struct.get(ADDRESS, 0).reinterpret(expected.length * 8L);
    assertThat(data.toArray(JAVA_LONG)).isEqualTo(expected);
    assertThat(memory.scope().isAlive()).isTrue();

    MethodHandle deleter =
        Linker.nativeLinker()
            .downcallHandle(struct.get(ADDRESS, 56), FunctionDescriptor.ofVoid(ADDRESS));
    deleter.invokeExact(struct);
    assertThat(memory.scope().isAlive()).as("freed, because the loader is closed").isFalse();
    deleter.invokeExact(struct);
  }
}
