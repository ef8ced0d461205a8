package dev.penstock.internal.parquet;

import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.testing.BytesFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/// A Parquet file of one optional column `c` in one row group, whose footer and page index state
/// what a test wants, true or not. Its pages are rubbish, but that the last one has a header.
final class HandMadeFooter {
  static final int CHUNK_BYTES = 1000;

  final SchemaElement column;
  final ColumnMetaData data;
  final ColumnChunk chunk;
  final Statistics statistics = new Statistics();
  final FileMetaData metadata;
  private final byte[] pages = new byte[CHUNK_BYTES];

  /// What is behind the pages.
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  HandMadeFooter(Type type, long rows) {
    column = new SchemaElement("c").setType(type);
    column.setRepetition_type(FieldRepetitionType.OPTIONAL);
    data =
        new ColumnMetaData(
            type,
            List.of(),
            List.of("c"),
            CompressionCodec.UNCOMPRESSED,
            rows,
            CHUNK_BYTES,
            CHUNK_BYTES,
            4);
    data.setStatistics(statistics);
    chunk = new ColumnChunk(0).setMeta_data(data);
    SchemaElement root = new SchemaElement("root").setNum_children(1);
    RowGroup group = new RowGroup(List.of(chunk), CHUNK_BYTES, rows);
    metadata = new FileMetaData(1, List.of(root, column), rows, List.of(group));
    metadata.setColumn_orders(List.of(ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())));
  }

  HandMadeFooter logical(LogicalType type) {
    column.setLogicalType(type);
    return this;
  }

  HandMadeFooter width(int width) {
    column.setType_length(width);
    return this;
  }

  HandMadeFooter createdBy(@Nullable String text) {
    metadata.setCreated_by(text);
    return this;
  }

  HandMadeFooter bounds(byte[] min, byte[] max) {
    statistics.setMin_value(min).setMax_value(max);
    return this;
  }

  HandMadeFooter oldBounds(byte[] min, byte[] max) {
    statistics.setMin(min).setMax(max);
    return this;
  }

  HandMadeFooter nulls(long count) {
    statistics.setNull_count(count);
    return this;
  }

  /// Returns where the next bytes go.
  int position() {
    return 4 + CHUNK_BYTES + bytes.size();
  }

  HandMadeFooter append(byte[] more) {
    bytes.writeBytes(more);
    return this;
  }

  /// Appends an offset index of pages with 10 bytes each, which start with the given rows.
  HandMadeFooter pages(long... firstRows) throws IOException {
    int last = firstRows.length - 1;
    if (last >= 0) {
      lastPage(last, metadata.getNum_rows() - firstRows[last]);
    }
    OffsetIndex index = new OffsetIndex();
    index.setPage_locations(new java.util.ArrayList<>());
    for (int i = 0; i < firstRows.length; i++) {
      index.addToPage_locations(new PageLocation(4 + 10L * i, 10, firstRows[i]));
    }
    return offsetIndex(index);
  }

  /// Gives a page a header that states how many values it has.
  HandMadeFooter lastPage(int page, long values) throws IOException {
    PageHeader header = new PageHeader(PageType.DATA_PAGE, 0, 0);
    header.setData_page_header(
        new DataPageHeader((int) values, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Util.writePageHeader(header, written);
    System.arraycopy(written.toByteArray(), 0, pages, 10 * page, written.size());
    return this;
  }

  /// Begins the chunk with a dictionary, in which the footer says that all values are.
  HandMadeFooter dictionary(int values, byte[] body) throws IOException {
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, body.length, body.length);
    header.setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Util.writePageHeader(header, written);
    written.writeBytes(body);
    System.arraycopy(written.toByteArray(), 0, pages, 0, written.size());
    data.setTotal_uncompressed_size(written.size());
    data.setEncoding_stats(
        List.of(
            new PageEncodingStats(PageType.DICTIONARY_PAGE, Encoding.PLAIN, 1),
            new PageEncodingStats(PageType.DATA_PAGE, Encoding.RLE_DICTIONARY, 1)));
    return this;
  }

  HandMadeFooter offsetIndex(OffsetIndex index) throws IOException {
    chunk.setOffset_index_offset(position());
    Util.writeOffsetIndex(index, bytes);
    chunk.setOffset_index_length(position() - (int) chunk.getOffset_index_offset());
    return this;
  }

  HandMadeFooter columnIndex(ColumnIndex index) throws IOException {
    chunk.setColumn_index_offset(position());
    Util.writeColumnIndex(index, bytes);
    chunk.setColumn_index_length(position() - (int) chunk.getColumn_index_offset());
    return this;
  }

  BytesFile file() throws IOException {
    return new BytesFile(toByteArray());
  }

  byte[] toByteArray() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(new byte[] {'P', 'A', 'R', '1'});
    all.writeBytes(pages);
    all.writeBytes(bytes.toByteArray());
    int start = all.size();
    Util.writeFileMetaData(metadata, all);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt(all.size() - start).put(new byte[] {'P', 'A', 'R', '1'});
    all.writeBytes(trailer.array());
    return all.toByteArray();
  }

  /// Returns what is offered for the column.
  ColumnStatistics read() throws IOException {
    return new ParquetFormat().readMetadata(file()).statistics(0, "c");
  }

  /// Returns what is offered for the column's pages.
  List<PageStatistics> readPages() throws IOException {
    ParquetFormat format = new ParquetFormat();
    BytesFile file = file();
    return format.pageStatistics(file, format.readMetadata(file), 0, "c");
  }

  static byte[] int32(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  static byte[] int64(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  static byte[] float64(double value) {
    return int64(Double.doubleToRawLongBits(value));
  }
}
