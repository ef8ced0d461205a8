package dev.penstock.internal.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.parquet.footer.Codec;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NeighboursTest {
  private static Chunk chunk(long offset, long bytes) {
    return new Chunk(offset, bytes, bytes, 1, Codec.ZSTD, 0, null);
  }

  @Test
  void chunksSideBySideAreJoined() {
    List<Neighbours> all =
        Neighbours.of(
            List.of(chunk(4, 10), chunk(14, 20), chunk(90, 5), chunk(40, 5), chunk(45, 5)));
    assertThat(all).extracting(each -> each.start).containsExactly(4L, 40L);
    assertThat(all.getFirst().has(chunk(14, 20))).isTrue();
    assertThat(all.getFirst().has(chunk(14, 21))).isFalse();
    assertThat(all.getFirst().has(chunk(40, 5))).isFalse();
  }

  @Test
  void littleIsReadAtOnce() {
    List<Chunk> chunks = IntStream.range(0, 6).mapToObj(i -> chunk(i << 17, 1 << 17)).toList();
    assertThat(Neighbours.of(chunks))
        .extracting(each -> each.start)
        .containsExactly(0L, 2L << 17, 4L << 17);
  }
}
