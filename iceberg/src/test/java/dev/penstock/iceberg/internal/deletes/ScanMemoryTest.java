package dev.penstock.iceberg.internal.deletes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MemoryLimitException;
import dev.penstock.storage.Location;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ScanMemoryTest {
  private static final Location FILE = new Location("s3://lake/deletes.parquet");

  @Test
  void fileThatStatesTooMuchIsRefusedBeforeItIsAllocated() {
    try (ScanMemory memory = new ScanMemory(FILE)) {
      memory.take(1000);
      assertThatThrownBy(() -> memory.take(Integer.MAX_VALUE))
          .isInstanceOf(MemoryLimitException.class)
          .hasMessageContaining("Cannot read 's3://lake/deletes.parquet' to find deleted rows: ")
          .hasMessageContaining(" of memory at once but may need 512 MiB.");
      memory.count(500 << 20);
      assertThatThrownBy(() -> memory.count(20 << 20)).isInstanceOf(MemoryLimitException.class);
      memory.count(-(500 << 20));
      memory.count(20 << 20);
    }
  }

  @Test
  void memoryThatCameBackIsUsedAgain() {
    try (ScanMemory memory = new ScanMemory(FILE)) {
      for (int i = 0; i < 1000; i++) {
        MemorySegment taken = memory.take(1 << 20);
        assertThat(taken.byteSize()).isGreaterThanOrEqualTo(1 << 20);
        memory.give(taken);
      }
    }
  }
}
