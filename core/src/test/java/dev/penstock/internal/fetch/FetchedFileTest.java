package dev.penstock.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is fetched of a file, and when it is given up. The file has ten pieces, each a range of its
/// own, large enough not to be kept.
class FetchedFileTest {
  private static final int PIECE = 100_000;

  private final AtomicInteger over = new AtomicInteger();
  private final FetchedFile file =
      new FetchedFile(
          new Ten(), new FetchAdvice(1, 0, PIECE, Optional.empty()), over::incrementAndGet);

  private record Ten() implements StorageFile {
    @Override
    public Location location() {
      return new Location("memory://ten");
    }

    @Override
    public long size() {
      return 10L * PIECE;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public long read(long offset, MemorySegment target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private static ByteRange pieces(double from, double to) {
    return new ByteRange((long) (from * PIECE), (long) (to * PIECE) - (long) (from * PIECE));
  }

  /// Two readers want all of it.
  @BeforeEach
  void wantAll() {
    List<ByteRange> all = List.of(pieces(0, 10));
    file.want(0, all);
    file.want(1, all);
    assertThat(file.fetch(all)).hasSize(10);
    file.open(0);
    file.open(1);
  }

  private void read(int reader, double from, double to) {
    ByteRange range = pieces(from, to);
    file.read(reader, range.offset(), range.length());
  }

  private List<Long> there() {
    return file.ranges().stream()
        .filter(range -> !range.isDropped())
        .map(range -> range.range().offset() / PIECE)
        .sorted()
        .toList();
  }

  @Test
  void pieceIsGivenUpWhenAllReadersHaveReadIt() {
    read(0, 0, 3.5);
    assertThat(there()).hasSize(10);
    read(1, 0, 1);
    assertThat(there()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    read(1, 1, 4);
    assertThat(there()).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
    read(0, 3.5, 4);
    assertThat(there()).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void partsOfAWholeAreReadSideBySide() {
    assertThat(file.close(1)).isZero(); // none was started
    file.want(0, List.of(pieces(0, 2), pieces(2, 4), pieces(5, 10)));
    assertThat(file.fetch(List.of(pieces(0, 2), pieces(2, 4), pieces(5, 10)))).isEmpty();
    read(0, 5, 6);
    read(0, 2, 3);
    read(0, 0, 1);
    assertThat(there()).containsExactly(1L, 3L, 4L, 6L, 7L, 8L, 9L);
    read(0, 1, 6.5); // over the ends of parts, and what nobody wants
    assertThat(there()).containsExactly(4L, 6L, 7L, 8L, 9L);
    read(0, 6.5, 10);
    assertThat(there()).containsExactly(4L);
    assertThat(over).hasValue(0);
    file.close(0);
    assertThat(there()).isEmpty();
    assertThat(over).hasValue(1);
  }

  @Test
  void readerThatComesAgainFindsWhatIsThereAndAsksForTheRest() {
    read(0, 0, 5);
    read(1, 0, 4);
    file.close(0);
    assertThat(there()).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(file.awaits(0)).isFalse();
    assertThat(over).hasValue(0);

    List<ByteRange> again = List.of(pieces(1, 2), pieces(3, 10));
    file.want(0, again);
    assertThat(file.fetch(again).stream().map(FetchedRange::range))
        .containsExactlyInAnyOrder(pieces(1, 2), pieces(3, 4));
    read(1, 4, 10);
    assertThat(there()).containsExactly(1L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    read(0, 3, 10);
    assertThat(there()).containsExactly(1L);
    file.close(1);
    file.close(0);
    assertThat(over).hasValue(1);
  }

  @Test
  void whatOneReaderAloneWantedGoesWithIt() {
    file.close(1);
    read(0, 0, 2);
    file.want(1, List.of(pieces(0, 1)));
    file.fetch(List.of(pieces(0, 1)));
    assertThat(there()).containsExactly(0L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    file.close(1);
    assertThat(there()).containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }
}
