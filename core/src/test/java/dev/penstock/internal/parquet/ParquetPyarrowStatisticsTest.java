package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.JavaParquet;
import dev.penstock.testing.TestBounds;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Statistics, page index and bloom filters of a file written by pyarrow 26.0.1
/// (`src/test/sample/make_statistics.py`), held against its values as parquet-java reads them.
class ParquetPyarrowStatisticsTest {
  private static final int GROUP_ROWS = 150;
  private static final int ROWS = 240;
  private static final int PAGE_ROWS = 25;

  private final ParquetFormat format = new ParquetFormat();
  private Path path;
  private StorageFile file;
  private FileMetadata metadata;

  @BeforeEach
  void open() throws IOException, URISyntaxException {
    URL resource = getClass().getResource("statistics-pyarrow.parquet");
    path = Path.of(Objects.requireNonNull(resource).toURI());
    file = new LocalStorage().open(Location.of(path));
    metadata = format.readMetadata(file);
  }

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  @Test
  void noValueContradictsWhatIsKnown() throws IOException {
    int checked = 0;
    for (Field field : metadata.schema().fields()) {
      if (!field.name().equals("s") && !field.name().equals("l")) {
        List<@Nullable Object> values = JavaParquet.column(path, field.name(), field.type());
        checkGroup(field, 0, values.subList(0, GROUP_ROWS));
        checkGroup(field, 1, values.subList(GROUP_ROWS, ROWS));
        checked++;
      }
    }
    assertThat(checked).isEqualTo(25);
  }

  private void checkGroup(Field field, int group, List<@Nullable Object> values)
      throws IOException {
    ColumnStatistics known = metadata.statistics(group, field.name());
    TestBounds.check(known, field.type(), values);
    assertThat(known.nullCount()).isPresent();
    boolean empty = field.name().equals("nothing");
    assertThat(known.lower() == null).as("%s: %s", field, known).isEqualTo(empty);
    // The greatest binary has 80 bytes, all set, so that no shorter one is above it.
    boolean highest = field.name().equals("binary") && group == 0;
    assertThat(known.upper() == null).as("%s: %s", field, known).isEqualTo(empty || highest);

    List<PageStatistics> pages = format.pageStatistics(file, metadata, group, field.name());
    // This writer leaves the index out where a page has NaN alone.
    boolean floating = field.type() instanceof DataType.Floating;
    assertThat(pages.isEmpty()).isEqualTo(floating && group == 1);
    for (PageStatistics page : pages) {
      int first = (int) page.firstRow();
      int end = (int) (first + page.rowCount());
      TestBounds.check(page.statistics(), field.type(), values.subList(first, end));
      assertThat(page.statistics().nullCount()).isPresent();
      assertThat(page.statistics().lower() == null).isEqualTo(empty);
      assertThat(page.rowCount()).isEqualTo(Math.min(PAGE_ROWS, values.size() - first));
    }

    Optional<BloomFilter> filter = format.bloomFilter(file, metadata, group, field.name());
    boolean narrow = field.type() instanceof DataType.Int(int bits, boolean _) && bits < 32;
    assertThat(filter.isPresent()).isEqualTo(!narrow && !field.name().equals("bool"));
    if (filter.isPresent()) {
      for (Comparable<?> value : TestBounds.values(field.type(), values)) {
        assertThat(filter.get().mightContain(value)).as("%s", value).isTrue();
      }
    }
  }

  @Test
  void falsePositivesAreAboutAsRareAsTheWriterWanted() throws IOException {
    BloomFilter filter = format.bloomFilter(file, metadata, 0, "int64").orElseThrow();
    long found = 0;
    for (long value : LongStream.range(0, 100_000).toArray()) {
      found += filter.mightContain(value) ? 1 : 0;
    }
    assertThat(found / 100_000.0).isBetween(0.0001, 0.055); // 5 % were wanted.
  }

  @Test
  void rowWithoutAStructIsANullInEachOfItsParts() throws IOException {
    assertThat(metadata.statistics(0, "s.x").nullCount()).hasValue(50 + 25);
    assertThat(metadata.statistics(0, "s.y").nullCount()).hasValue(50);
    assertThat(metadata.statistics(1, "s.x").nullCount()).hasValue(30 + 15);
    assertThat(metadata.statistics(0, "s.x").lower()).isEqualTo(new Bound(1L, true));
    assertThat(metadata.statistics(0, "s.y").upper()).isEqualTo(new Bound(-1L, true));
    List<PageStatistics> pages = format.pageStatistics(file, metadata, 0, "s.x");
    assertThat(pages).hasSize(GROUP_ROWS / PAGE_ROWS);
    // Of the rows from 25 to 49, 8 divide by 3 and 4 more by 4.
    assertThat(pages.get(1).statistics().nullCount()).hasValue(8 + 4);
  }

  @Test
  void elementsOfListsHaveBounds() throws IOException {
    ColumnStatistics known = metadata.statistics(0, "l.list.element");
    assertThat(known.lower()).isEqualTo(new Bound(1L, true));
    assertThat(known.upper()).isEqualTo(new Bound(149L, true));
    assertThat(known.nullCount()).isEmpty();
    assertThat(format.pageStatistics(file, metadata, 0, "l.list.element")).isEmpty();
  }
}
