package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.spi.batch.BatchAllocator;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocatorTest {
  private static final int ROWS = 1000;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  @TempDir Path folder;
  private final Set<MemorySegment> blocks = ConcurrentHashMap.newKeySet();

  private BatchAllocator.Block allocate(long bytes, long alignment) {
    BatchAllocator.Block made = BatchAllocator.ofProcess().allocate(bytes, alignment);
    blocks.add(made.memory());
    return new BatchAllocator.Block(
        made.memory(),
        () -> {
          blocks.remove(made.memory());
          made.free().run();
        });
  }

  @BeforeEach
  void write() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int row = 0; row < ROWS; row++) {
      lines.append(
          "{\"id\": %s, \"name\": \"n%s\", \"sizes\": [%s, 7], \"tags\": [\"a\", \"b%s\"]}%n"
              .formatted(row, row, row, row));
    }
    Files.writeString(folder.resolve("rows.jsonl"), lines);
  }

  private DataLoader loader(int workers, OutputFormat output) {
    return DataLoader.of(
        new StructuredDataset(folder.toString()),
        o -> o.batchSize(64).workers(workers).output(output).batchAllocator(this::allocate));
  }

  private void requireInBlocks(MemorySegment memory) {
    assertThat(blocks)
        .anyMatch(block ->
            memory.address() >= block.address()
                && memory.address() + memory.byteSize() <= block.address() + block.byteSize());
  }

  private String text(ColumnSlice slice, int row) {
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    requireInBlocks(offsets);
    requireInBlocks(slice.values());
    int from = offsets.getAtIndex(INT, row);
    byte[] bytes = new byte[offsets.getAtIndex(INT, row + 1) - from];
    MemorySegment.copy(slice.values(), ValueLayout.JAVA_BYTE, from, bytes, 0, bytes.length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void allColumnsOfBatchLieInTheAllocatorsMemory() {
    for (int workers : new int[] {0, 2}) {
      try (DataLoader loader = loader(workers, OutputFormat.TENSOR)) {
        int row = 0;
        for (Batch batch : loader) {
          try (batch) {
            Tensor id = batch.tensor("id");
            RaggedTensor sizes = batch.ragged("sizes");
            requireInBlocks(id.memory());
            requireInBlocks(sizes.values().memory());
            requireInBlocks(sizes.offsets().memory());
            ColumnSlice names = (ColumnSlice) batch.column("name");
            ColumnSlice tags = (ColumnSlice) batch.column("tags");
            for (int i = 0; i < batch.rowCount(); i++, row++) {
              assertThat(id.getLong(i)).isEqualTo(row);
              assertThat(text(names, i)).isEqualTo("n" + row);
              assertThat(text(tags.children().getFirst(), 2 * i + 1)).isEqualTo("b" + row);
            }
          }
        }
        assertThat(row).isEqualTo(ROWS);
      }
      assertThat(blocks).isEmpty();
    }
  }

  @Test
  void underArrowAllColumnsAreSlices() {
    try (DataLoader loader = loader(1, OutputFormat.ARROW);
        EpochIterator<Batch> epoch = loader.iterator();
        Batch batch = epoch.next()) {
      for (String name : batch.names()) {
        assertThat(batch.column(name)).isInstanceOf(ColumnSlice.class);
      }
      assertThat(((ColumnSlice) batch.column("id")).values().get(ValueLayout.JAVA_LONG, 8))
          .isEqualTo(1);
    }
    assertThat(blocks).isEmpty();
  }

  @Test
  void batchKeepsItsMemoryUntilItIsClosed() {
    List<Batch> open = new ArrayList<>();
    try (DataLoader loader = loader(2, OutputFormat.TENSOR)) {
      loader.forEach(open::add);
    }
    assertThat(open.getLast().tensor("id").getLong(0)).isEqualTo(ROWS - ROWS % 64);
    open.forEach(Batch::close);
    assertThat(blocks).isEmpty();
  }

  @Test
  void errorOfTheAllocatorEndsTheEpochWithItsMessage() {
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(folder.toString()),
            o ->
                o.workers(1)
                    .batchAllocator((bytes, _) -> {
                      throw new IllegalStateException("No room for " + bytes + " bytes.");
                    }))) {
      EpochIterator<Batch> epoch = loader.iterator();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("No room for ");
    }
  }

  @Test
  void objectsAreRefused() {
    assertThatThrownBy(() -> loader(0, OutputFormat.MAP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot put batches of OutputFormat.MAP into an allocator's memory: they are Java"
                + " objects. Use TENSOR or ARROW.");
  }
}
