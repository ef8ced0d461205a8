package dev.penstock.internal.matches;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.filter.Filter;
import dev.penstock.internal.filter.FileRowNumbers;
import dev.penstock.internal.filter.FilterBinder;
import dev.penstock.internal.filter.RowSelector;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordingMatcherTest {
  private static final Location FILE = Location.of(Path.of("file.parquet"));
  private static final Schema SCHEMA =
      Schema.of(List.of(new Field("x", new DataType.Int(32, true), false)));
  private static final int SLICE = 8192;

  /// Gives the numbers from 0 again and again.
  private static final class Numbers implements SliceReader {
    private final MemorySegment values = MemorySegment.ofArray(IntStream.range(0, SLICE).toArray());

    @Override
    public int next(int maxRows) {
      return maxRows;
    }

    @Override
    public void skip(long rows) {}

    @Override
    public ColumnSlice column(int index) {
      return ColumnSlice.fixed(SCHEMA.fields().getFirst().type(), SLICE, 0, null, values);
    }

    @Override
    public void close() {}
  }

  /// What is noted of a large row group is known while it is still read.
  @Test
  void whatWasTestedIsHandedOverInParts() throws IOException {
    KnownMatches known = new KnownMatches();
    long first = 5;
    long end = first + 2 * RecordingMatcher.NOTED_ROWS + 10 * SLICE;
    RowSelector selector =
        new RowSelector(
            FilterBinder.bind(Filter.parse("x < 3"), SCHEMA), new FileRowNumbers("a", row -> row));
    RowMatcher tested =
        new RecordingMatcher(FILE, SCHEMA, new Numbers(), selector, first, known, first);
    for (long row = first; row < end; row += SLICE) {
      assertThat(tested.look(row, SLICE)).isEqualTo(SLICE);
      assertThat(tested.count()).isEqualTo(3);
    }
    assertThat(known.rows(FILE, first, first + 2 * RecordingMatcher.NOTED_ROWS)).isNotNull();
    assertThat(known.rows(FILE, first, end)).isNull();
    tested.close(end + 7); // of which none matches
    KnownRange all = known.rows(FILE, first, end + 7);
    assertThat(all).isNotNull();
    assertThat(all.count()).isEqualTo((end - first) / SLICE * 3);
    assertThat(known.rows(FILE, first, end + 8)).isNull();
  }
}
