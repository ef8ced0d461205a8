package dev.penstock.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldVectorsTest {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final DataType INT32 = new DataType.Int(32, true);
  private static final DataType LISTS = new DataType.List(INT32, true);

  private final Arena arena = Arena.ofAuto();
  private final BufferAllocator allocator = new RootAllocator();
  private final AtomicInteger releases = new AtomicInteger();

  private final MemorySegment other = arena.allocate(64, 64);
  private final MemorySegment piece = arena.allocate(256, 64);
  private final MemorySegment bits = part(0, arena.allocateFrom(BYTE, (byte) 0b11));
  private final MemorySegment elementBits = part(64, arena.allocateFrom(BYTE, (byte) 0b101));
  private final MemorySegment offsets = part(128, arena.allocateFrom(INT, 0, 1, 3));
  private final MemorySegment values = part(192, arena.allocateFrom(INT, 7, 0, 9));

  @AfterEach
  void close() {
    allocator.close(); // Throws if anything is left.
  }

  private MemorySegment part(long offset, MemorySegment contents) {
    return piece.asSlice(offset, contents.byteSize()).copyFrom(contents);
  }

  /// Returns the lists [7] and [null, 9].
  private HeldVectors lists() {
    ColumnSlice elements = ColumnSlice.fixed(INT32, 3, 1, elementBits, values);
    ColumnSlice lists = ColumnSlice.list(LISTS, 2, 0, bits, offsets, elements);
    Schema schema = Schema.of(List.of(new Field("c", LISTS, false)));
    return (HeldVectors)
        new VectorForm()
            .holder(schema)
            .hold(2, List.of(lists), List.of(other, piece), releases::incrementAndGet);
  }

  @Test
  void buffersAreTheMemoryThatWasGiven() {
    HeldVectors held = lists();
    ListVector vector = (ListVector) held.root(allocator).getVector("c");
    assertThat(vector.getObject(1)).hasToString("[null,9]");
    assertThat(vector.getValidityBufferAddress()).isEqualTo(bits.address());
    assertThat(vector.getOffsetBufferAddress()).isEqualTo(offsets.address());
    assertThat(vector.getDataVector().getValidityBufferAddress()).isEqualTo(elementBits.address());
    assertThat(vector.getDataVector().getDataBufferAddress()).isEqualTo(values.address());
    assertThat(allocator.getAllocatedMemory()).isEqualTo(256);
    held.close();
  }

  @Test
  void memoryGoesBackOnceWhenTheLastReferenceDoes() {
    HeldVectors held = lists();
    VectorSchemaRoot root = held.root(allocator);
    ArrowBuf kept = root.getVector("c").getOffsetBuffer();
    kept.getReferenceManager().retain();
    root.close();
    assertThat(releases).hasValue(0);
    held.close();
    held.close();
    assertThat(releases).hasValue(0);
    assertThat(kept.getInt(8)).isEqualTo(3);
    kept.getReferenceManager().release();
    assertThat(releases).hasValue(1);
  }

  @Test
  void memoryGoesBackWhenNobodyAskedForVectors() {
    HeldVectors held = lists();
    held.close();
    assertThat(releases).hasValue(1);
  }
}
