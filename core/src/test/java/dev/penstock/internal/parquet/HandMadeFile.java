package dev.penstock.internal.parquet;

import dev.penstock.testing.BytesFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/// A Parquet file of one column `c`, page by page as a test wants it: what no writer would write.
final class HandMadeFile {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final SchemaElement column;
  private final CompressionCodec codec;
  private final List<RowGroup> groups = new ArrayList<>();
  private int chunkStart = 4;

  HandMadeFile(Type type, boolean optional, CompressionCodec codec) {
    this.codec = codec;
    column = new SchemaElement("c").setType(type);
    column.setRepetition_type(
        optional ? FieldRepetitionType.OPTIONAL : FieldRepetitionType.REQUIRED);
    bytes.writeBytes(new byte[] {'P', 'A', 'R', '1'});
  }

  /// Returns the column's place in the schema, for annotations.
  SchemaElement column() {
    return column;
  }

  HandMadeFile dictionary(int values, byte... body) throws IOException {
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, body.length, body.length);
    header.setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
    return page(header, body);
  }

  HandMadeFile data(int values, Encoding encoding, Encoding levels, byte... body)
      throws IOException {
    PageHeader header = new PageHeader(PageType.DATA_PAGE, body.length, body.length);
    header.setData_page_header(new DataPageHeader(values, encoding, levels, Encoding.RLE));
    return page(header, body);
  }

  HandMadeFile data(int values, Encoding encoding, byte... body) throws IOException {
    return data(values, encoding, Encoding.RLE, body);
  }

  HandMadeFile dataV2(int values, Encoding encoding, boolean compressed, byte... body)
      throws IOException {
    PageHeader header = new PageHeader(PageType.DATA_PAGE_V2, body.length, body.length);
    header.setData_page_header_v2(
        new DataPageHeaderV2(values, 0, values, encoding, 0, 0).setIs_compressed(compressed));
    return page(header, body);
  }

  HandMadeFile page(PageHeader header, byte... body) throws IOException {
    Util.writePageHeader(header, bytes);
    bytes.writeBytes(body);
    return this;
  }

  /// Ends a row group. The dictionary's place is left out, as Polars does.
  HandMadeFile group(long rows) {
    return group(rows, bytes.size() - chunkStart);
  }

  /// Ends a row group that claims to have so many bytes decompressed.
  HandMadeFile group(long rows, long decompressed) {
    int size = bytes.size() - chunkStart;
    ColumnMetaData data =
        new ColumnMetaData(
            column.getType(), List.of(), List.of("c"), codec, rows, decompressed, size, chunkStart);
    ColumnChunk chunk = new ColumnChunk(0).setMeta_data(data);
    groups.add(new RowGroup(List.of(chunk), size, rows));
    chunkStart = bytes.size();
    return this;
  }

  BytesFile file() throws IOException {
    int start = bytes.size();
    SchemaElement root = new SchemaElement("root").setNum_children(1);
    long rows = groups.stream().mapToLong(RowGroup::getNum_rows).sum();
    Util.writeFileMetaData(new FileMetaData(1, List.of(root, column), rows, groups), bytes);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt(bytes.size() - start).put(new byte[] {'P', 'A', 'R', '1'});
    bytes.writeBytes(trailer.array());
    return new BytesFile(bytes.toByteArray());
  }

  /// Returns little-endian 32-bit integers.
  static byte[] ints(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      buffer.putInt(value);
    }
    return buffer.array();
  }
}
