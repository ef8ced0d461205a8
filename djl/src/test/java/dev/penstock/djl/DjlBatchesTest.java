package dev.penstock.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.Lease;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// With the PyTorch engine, by addresses and bits that torch itself reports.
class DjlBatchesTest {
  private final Arena arena = Arena.ofShared();
  private final AtomicInteger givenBack = new AtomicInteger();
  private final Lease lease = new Lease(givenBack::incrementAndGet);
  private final MemorySegment memory = arena.allocate(64, 64);
  private final NDManager manager = NDManager.newBaseManager();

  @AfterEach
  void free() {
    manager.close();
    arena.close();
  }

  private Batch batch(DType dtype, long... shape) {
    Shape extents = Shape.of(shape);
    MemorySegment part = memory.asSlice(0, extents.elementCount() * dtype.bytes());
    Tensor x = Tensor.of(dtype, extents, part, lease);
    return Batch.of((int) shape[0], Map.of("x", x), lease);
  }

  @Test
  void theseTestsRunWithPyTorch() {
    assertThat(Engine.getInstance().getEngineName()).isEqualTo("PyTorch");
    assertThat(TorchArrays.AVAILABLE).isTrue();
  }

  @Test
  void arrayIsTheBatchsOwnMemoryBothWays() {
    Batch batch = batch(DType.FLOAT32, 2, 3);
    NDArray x = DjlBatches.array(manager, batch.tensor("x"));
    memory.setAtIndex(ValueLayout.JAVA_FLOAT, 4, 99);
    assertThat(x.getShape().getShape()).containsExactly(2, 3);
    assertThat(x.getFloat(1, 1)).isEqualTo(99);
    x.addi(1);
    assertThat(batch.tensor("x").getFloat(4)).isEqualTo(100);
    batch.close();
  }

  @Test
  void memoryIsGivenBackWhenDjlClosesTheBatch() {
    Batch batch = batch(DType.FLOAT32, 2, 3);
    var inDjl = DjlBatches.batch(manager, batch, List.of("x"), List.of("x"));
    assertThat(inDjl.getSize()).isEqualTo(2);
    assertThat(inDjl.getData().singletonOrThrow().getName()).isEqualTo("x");
    batch.close();
    assertThat(givenBack).hasValue(0);
    inDjl.close();
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void viewThatOutlivesItsBatchKeepsTheMemory() {
    Batch batch = batch(DType.FLOAT32, 2, 3);
    memory.setAtIndex(ValueLayout.JAVA_FLOAT, 3, 7);
    var inDjl = DjlBatches.batch(manager, batch, List.of("x"), List.of());
    NDArray row = inDjl.getData().get(0).get(1);
    row.attach(manager);
    inDjl.close();
    batch.close();
    assertThat(givenBack).hasValue(0);
    assertThat(row.toFloatArray()).containsExactly(7, 0, 0);
    row.close();
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void gradientHasTheRowsThatWereThereWhenTheBatchWasClosed() {
    Batch batch = batch(DType.FLOAT32, 2, 3);
    memory.asSlice(0, 24).copyFrom(MemorySegment.ofArray(new float[] {1, 2, 3, 4, 5, 6}));
    NDArray w = manager.ones(new ai.djl.ndarray.types.Shape(3, 1));
    w.setRequiresGradient(true);
    try (GradientCollector gradients = Engine.getInstance().newGradientCollector()) {
      NDArray loss;
      try (batch) {
        NDArray x = DjlBatches.array(manager, batch.tensor("x"));
        loss = x.matMul(w).sum();
        x.close(); // the graph still needs it
      }
      gradients.backward(loss);
    }
    assertThat(w.getGradient().toFloatArray()).containsExactly(5, 7, 9);
  }

  @Test
  void closedArrayThrows() {
    Batch batch = batch(DType.FLOAT32, 2, 3);
    NDManager step = manager.newSubManager();
    NDArray x = DjlBatches.array(step, batch.tensor("x"));
    step.close();
    assertThatThrownBy(x::toFloatArray).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> DjlBatches.array(step, batch.tensor("x")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("its manager is closed");
    batch.close();
    assertThat(givenBack).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void everyTypeIsGivenOrRefusedByName(DType dtype) {
    Batch batch = batch(dtype, 4);
    Tensor x = batch.tensor("x");
    switch (dtype) {
      case INT16, UINT16, UINT32, UINT64 ->
          assertThatThrownBy(() -> DjlBatches.array(manager, x))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("Tensor " + dtype);
      default -> {
        memory.set(ValueLayout.JAVA_BYTE, dtype.bytes() - 1L, (byte) 1);
        NDArray array = DjlBatches.array(manager, x);
        assertThat(array.getDataType().getNumOfBytes()).isEqualTo(dtype.bytes());
        assertThat(MemorySegment.ofBuffer(array.toByteBuffer()).toArray(ValueLayout.JAVA_BYTE))
            .isEqualTo(x.memory().toArray(ValueLayout.JAVA_BYTE));
      }
    }
  }

  @Test
  void javaArraysAreCopied() {
    float[] values = {1, 2, 3};
    NDArray x = DjlBatches.array(manager, Tensor.of(values));
    values[0] = 9;
    assertThat(x.toFloatArray()).containsExactly(1, 2, 3);
  }

  @Test
  void batchOfAMissingColumnLeavesNothingBehind() {
    Batch batch = batch(DType.FLOAT32, 2, 3);
    assertThatThrownBy(() -> DjlBatches.batch(manager, batch, List.of("x"), List.of("y")))
        .isInstanceOf(NoSuchElementException.class);
    batch.close();
    assertThat(givenBack).hasValue(1);
  }
}
