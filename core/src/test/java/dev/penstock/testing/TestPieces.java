package dev.penstock.testing;

import dev.penstock.batch.BatchBuilder;
import java.lang.foreign.Arena;

/// Memory for batches that is filled with rubbish and counts what is taken; what is given back
/// twice, or read afterwards, fails.
public final class TestPieces implements BatchBuilder.Memory {
  private static final byte RUBBISH = (byte) 0xa5;

  private final int limit;
  private int taken;
  private int held;

  /// Makes memory without a limit.
  public TestPieces() {
    this(Integer.MAX_VALUE);
  }

  /// Makes memory that can be taken so many times.
  public TestPieces(int limit) {
    this.limit = limit;
  }

  @Override
  public BatchBuilder.Piece take(long bytes) {
    if (taken == limit) {
      throw new IllegalStateException("No memory after " + limit + " pieces.");
    }
    taken++;
    held++;
    Arena arena = Arena.ofShared();
    return new BatchBuilder.Piece(
        arena.allocate(bytes, 64).fill(RUBBISH),
        () -> {
          arena.close(); // Fails when it was closed before.
          held--;
        });
  }

  /// Returns how many pieces were ever taken.
  public int taken() {
    return taken;
  }

  /// Returns how many pieces are not given back.
  public int held() {
    return held;
  }
}
