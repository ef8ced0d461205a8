package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.testing.TestMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// A page in memory that is watched, with the padding that pages have.
public final class FuzzPage implements AutoCloseable {
  /// The most memory that a reader may take at once for an input of a fuzzer.
  public static final long MEMORY_BYTES = 96 << 20;

  private final TestMemory memory = new TestMemory(MEMORY_BYTES);
  private final List<MemorySegment> taken = new ArrayList<>();
  private final MemorySegment data;
  private final long length;

  public FuzzPage(byte[] bytes) {
    length = bytes.length;
    data = take(length + Buffer.PADDING);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, data, 0, length);
  }

  /// Returns the bytes, and the padding behind them.
  public MemorySegment data() {
    return data;
  }

  /// Returns how many bytes there are without the padding.
  public long length() {
    return length;
  }

  TestMemory memory() {
    return memory;
  }

  /// Takes memory that is checked for writes behind it and given back with the page.
  MemorySegment take(long bytes) {
    MemorySegment segment = memory.take(bytes);
    taken.add(segment);
    return segment;
  }

  /// Checks that an error is one of those that a damaged page may give.
  public static void check(PageException e) {
    assertThat(e.sentence()).matches("(?s)(Corrupt|Truncated|Unsupported) Parquet .*\\.");
  }

  @Override
  public void close() {
    taken.forEach(memory::give);
    assertThat(memory.takenBytes()).isZero();
  }
}
