package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteStreamSplitTest {
  private final TestMemory memory = new TestMemory(64 << 20);
  private final Buffer page = new Buffer(memory);
  private final Buffer target = new Buffer(memory);
  private final ByteStreamSplit decoder = new ByteStreamSplit();

  @Seeded(runs = 400)
  void byteKOfValueIIsByteIOfStreamK(Random random) throws PageException {
    int width = 1 + random.nextInt(random.nextBoolean() ? 17 : 70);
    int count = random.nextInt(1 + random.nextInt(1500));
    byte[] streams = new byte[count * width];
    random.nextBytes(streams);
    int start = random.nextInt(9);
    decoder.start(fill(streams, start), start, start + streams.length, width, count);
    MemorySegment values = target.ensure((long) count * width);
    for (int done = 0; done < count; ) {
      int part = random.nextInt(Math.min(count - done, 700) + 1);
      decoder.decode(Raw.address(values, (long) done * width, part * (long) width + 8), part);
      done += part;
    }
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < width; k++) {
        assertThat(values.get(Raw.BYTE, (long) i * width + k))
            .as("byte %s of value %s, width %s", k, i, width)
            .isEqualTo(streams[k * count + i]);
      }
    }
    page.release();
    target.release();
    assertThat(memory.takenBytes()).isZero();
  }

  private MemorySegment fill(byte[] bytes, int start) {
    MemorySegment data = page.ensure(start + bytes.length);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, data, start, bytes.length);
    return data;
  }

  @Test
  void streamsOfDifferentLengthsAreRefused() {
    MemorySegment data = fill(new byte[11], 0);
    assertThatThrownBy(() -> decoder.start(data, 0, 11, 4, 100))
        .hasMessage(
            "Corrupt Parquet page: its byte streams have 11 bytes in all but expected a multiple"
                + " of 4, for at most 100 values.");
  }

  @Test
  void moreValuesThanThePageClaimsAreRefused() {
    MemorySegment data = fill(new byte[12], 0);
    assertThatThrownBy(() -> decoder.start(data, 0, 12, 4, 2))
        .isInstanceOf(PageException.class)
        .hasMessageStartingWith("Corrupt Parquet page: its byte streams have 12 bytes");
  }

  @Test
  void valuesThatAreNotThereAreRefused() throws PageException {
    MemorySegment data = fill(new byte[12], 0);
    decoder.start(data, 0, 12, 4, 9);
    long to = Raw.address(target.ensure(100), 0, 100);
    decoder.decode(to, 2);
    assertThatThrownBy(() -> decoder.decode(to, 2))
        .isInstanceOf(PageException.class)
        .hasMessage(
            "Truncated Parquet page: 2 more values are expected but its byte streams have 1.");
  }
}
