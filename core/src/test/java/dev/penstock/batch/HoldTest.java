package dev.penstock.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HoldTest {
  private final AtomicInteger givenBack = new AtomicInteger();
  private final Lease lease = new Lease(givenBack::incrementAndGet);
  private final MemorySegment memory = MemorySegment.ofArray(new byte[] {1, 2});
  private final Tensor tensor = Tensor.of(DType.INT8, Shape.of(2), memory, lease);

  @Test
  void closedBatchCannotBeReadThoughItsMemoryIsHeld() {
    Hold hold = tensor.hold();
    lease.close();
    assertThat(givenBack).hasValue(0);
    assertThatThrownBy(() -> tensor.getInt(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(tensor::hold).isInstanceOf(IllegalStateException.class);
    assertThat(hold.memory()).isEqualTo(memory);
    hold.close();
    assertThat(givenBack).hasValue(1);
    assertThatThrownBy(hold::memory)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the hold on it is closed");
  }

  @Test
  void closingAgainDoesNothing() {
    Hold first = tensor.hold();
    Hold second = tensor.row(1).hold();
    first.close();
    first.close();
    lease.close();
    lease.close();
    assertThat(givenBack).hasValue(0);
    second.close();
    second.close();
    assertThat(givenBack).hasValue(1);
  }

  /// Holds are taken while another thread closes: what was held in time keeps the memory.
  @Seeded(runs = 200)
  void memoryIsGivenBackOnceAndNeverWhileHeld(Random random) throws Exception {
    AtomicInteger returned = new AtomicInteger();
    Lease raced = new Lease(returned::incrementAndGet);
    Tensor shared = Tensor.of(DType.INT8, Shape.of(2), memory, raced);
    CyclicBarrier start = new CyclicBarrier(3);
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int turns = random.nextInt(20);
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  start.await();
                  holdAndLetGo(shared, returned, turns);
                } catch (Throwable e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    start.await();
    raced.close();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertThat(returned).hasValue(1);
  }

  private static void holdAndLetGo(Tensor shared, AtomicInteger returned, int turns) {
    for (int i = 0; i < turns; i++) {
      Hold hold;
      try {
        hold = shared.hold();
      } catch (IllegalStateException _) {
        return; // closed
      }
      assertThat(returned).hasValue(0);
      hold.close();
    }
  }
}
