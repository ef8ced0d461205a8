package dev.penstock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadTurnTest {
  private final Duration before = ReadTurn.waitMax;
  private final Object wanted = new Object();

  @AfterEach
  void waitAsBefore() {
    ReadTurn.waitMax = before;
  }

  @Test
  void nextTurnBeginsWhenOneIsOver() throws Exception {
    ReadTurn first = ReadTurn.take(wanted);
    FutureTask<ReadTurn> second = new FutureTask<>(() -> ReadTurn.take(wanted));
    Thread waiting = Thread.ofPlatform().start(second);
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    first.close();
    second.get().close();
  }

  @Test
  void turnThatIsNeverOverHoldsNobodyForEver() throws Exception {
    ReadTurn stuck = ReadTurn.take(wanted);
    ReadTurn.waitMax = Duration.ofNanos(1);
    ReadTurn next = ReadTurn.take(wanted);
    ReadTurn.waitMax = before;
    stuck.close(); // ends no turn but its own
    FutureTask<ReadTurn> last = new FutureTask<>(() -> ReadTurn.take(wanted));
    Thread waiting = Thread.ofPlatform().start(last);
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    next.close();
    last.get().close();
  }

  @Test
  void interruptEndsTheWait() throws Exception {
    try (ReadTurn _ = ReadTurn.take(wanted)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> ReadTurn.take(wanted)).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
