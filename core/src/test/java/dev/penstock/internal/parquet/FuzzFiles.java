package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.BloomFilter;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/// Fuzz targets that read a whole file, and ask for all that it states of its columns.
///
/// The rows have to be the same in slices of any size, and may not be refused where it is the
/// memory that is.
final class FuzzFiles {
  private static final int MAGIC = 0x31524150;
  private static final int ROWS = 5_000;
  private static final int REFUSALS_MAX = 8;

  private FuzzFiles() {}

  /// A whole file.
  static void file(byte[] data) throws IOException {
    readFile(data);
  }

  /// A footer, as thrift.
  static void footer(byte[] data) throws IOException {
    ByteBuffer file = ByteBuffer.allocate(data.length + 12).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(MAGIC).put(data).putInt(data.length).putInt(MAGIC);
    readFile(file.array());
  }

  /// Page headers and pages of a column of any type and codec.
  static void chunk(byte[] data) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    HandMadeFile made = column(numbers);
    int rows = numbers.next2();
    readFile(made.bytes(numbers.rest()).group(rows, numbers.rest().length * 20L).file());
  }

  /// A page of any type, encoding and codec, with a header that does not lie.
  static void page(byte[] data) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    HandMadeFile made = column(numbers);
    Encoding encoding = numbers.pick(Encoding.values());
    boolean v2 = numbers.next() % 2 == 1;
    int rows = numbers.next2();
    int dictionary = numbers.next();
    byte[] rest = numbers.rest();
    if (dictionary > 0) {
      made.dictionary(dictionary, Arrays.copyOf(rest, rest.length / 2));
    }
    PageHeader header =
        new PageHeader(v2 ? PageType.DATA_PAGE_V2 : PageType.DATA_PAGE, rest.length, rest.length);
    if (v2) {
      int levels = Math.min(rest.length, rows % 7);
      header.setData_page_header_v2(
          new DataPageHeaderV2(rows, 0, rows, encoding, levels, 0).setIs_compressed(false));
    } else {
      header.setData_page_header(new DataPageHeader(rows, encoding, Encoding.RLE, Encoding.RLE));
    }
    readFile(made.page(header, rest).group(rows).file());
  }

  /// A page of groups in groups, of any repetition, with levels and values of any kind.
  static void nested(byte[] data) throws IOException {
    FuzzInput numbers = new FuzzInput(data);
    int depth = 1 + numbers.next() % 4;
    SchemaElement[] schema = new SchemaElement[depth + 1];
    for (int i = 0; i <= depth; i++) {
      FieldRepetitionType repetition = numbers.pick(FieldRepetitionType.values());
      schema[i] = HandMadeFile.element(i == 0 ? "c" : "d", repetition, i < depth ? 1 : 0);
      if (i < depth && numbers.next() % 2 == 1) {
        schema[i].setConverted_type(ConvertedType.LIST);
      }
    }
    HandMadeFile made = new HandMadeFile(CompressionCodec.UNCOMPRESSED, schema);
    int rows = numbers.next();
    int values = numbers.next2();
    byte[] rest = numbers.rest();
    PageHeader header = new PageHeader(PageType.DATA_PAGE, rest.length, rest.length);
    header.setData_page_header(
        new DataPageHeader(values, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
    readFile(made.page(header, rest).chunk(values).group(rows).file());
  }

  private static HandMadeFile column(FuzzInput numbers) {
    Type type = numbers.pick(Type.values());
    int flags = numbers.next();
    CompressionCodec codec = numbers.pick(CompressionCodec.values());
    HandMadeFile made = new HandMadeFile(type, flags % 2 == 1, codec);
    if (type == Type.FIXED_LEN_BYTE_ARRAY) {
      made.column().setType_length(flags >> 1);
    }
    if ((flags & 2) != 0 && type != Type.BOOLEAN) {
      made.column().setConverted_type(ConvertedType.DECIMAL).setPrecision(1 + (flags >> 2));
    } else if ((flags & 4) != 0) {
      made.column().setConverted_type(ConvertedType.INT_8);
    }
    return made;
  }

  private static void readFile(byte[] bytes) throws IOException {
    readFile(new BytesFile(bytes));
  }

  private static void readFile(BytesFile file) throws IOException {
    ParquetFormat format = new ParquetFormat();
    FileMetadata metadata;
    try {
      metadata = format.readMetadata(file);
    } catch (MalformedFileException e) {
      check(e);
      return;
    }
    long rows = Math.min(metadata.rowCount(), ROWS);
    for (Field field : metadata.schema().fields()) {
      for (int group = 0; group < Math.min(3, metadata.rowGroups().size()); group++) {
        ask(format, file, metadata, group, field.name());
      }
      if (!(field.type() instanceof DataType.Unsupported)) {
        Schema one = Schema.of(List.of(field));
        Optional<List<List<@Nullable Object>>> values =
            rows(format, file, metadata, one, rows, 1000);
        assertThat(rows(format, file, metadata, one, rows, 7)).isEqualTo(values);
        if (values.isPresent()) {
          TestMemory enough = new TestMemory(FuzzPage.MEMORY_BYTES);
          TestRows.requireRefusals(format, file, metadata, one, rows, enough, REFUSALS_MAX);
        }
      }
    }
  }

  /// Returns the rows in slices of at most so many, or nothing where they are refused.
  private static Optional<List<List<@Nullable Object>>> rows(
      ParquetFormat format,
      BytesFile file,
      FileMetadata metadata,
      Schema column,
      long rows,
      int most)
      throws IOException {
    TestMemory memory = new TestMemory(FuzzPage.MEMORY_BYTES);
    try {
      return Optional.of(
          TestRows.read(format, file, metadata, column, 0, rows, memory, () -> most));
    } catch (MalformedFileException e) {
      check(e);
      return Optional.empty();
    } finally {
      assertThat(memory.takenBytes()).isZero();
    }
  }

  /// Asks for all that a file states of a column.
  private static void ask(
      ParquetFormat format, BytesFile file, FileMetadata metadata, int group, String column)
      throws IOException {
    ColumnStatistics whole = metadata.statistics(group, column);
    assertThat(whole).isNotNull();
    assertThat(metadata.valueCount(group, column).orElse(0)).isNotNegative();
    assertThat(metadata.decodingWork(group, column).orElse(0)).isNotNegative();
    try {
      long rows = 0;
      List<PageStatistics> pages = format.pageStatistics(file, metadata, group, column);
      for (PageStatistics page : pages) {
        rows += page.rowCount();
      }
      if (!pages.isEmpty()) {
        assertThat(rows).isEqualTo(metadata.rowGroups().get(group).rowCount());
      }
    } catch (MalformedFileException e) {
      check(e);
    }
    try {
      Optional<BloomFilter> filter = format.bloomFilter(file, metadata, group, column);
      assertThat(filter).isNotNull();
    } catch (MalformedFileException e) {
      check(e);
    }
  }

  private static void check(MalformedFileException e) {
    assertThat(e.getMessage())
        .matches("(?s)(Corrupt|Truncated|Unsupported) Parquet .*\\[memory://file, .*\\]");
  }
}
