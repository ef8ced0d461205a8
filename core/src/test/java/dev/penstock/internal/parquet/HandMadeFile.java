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
  private final List<SchemaElement> schema; // the root left out
  private final List<SchemaElement> leaves;
  private final CompressionCodec codec;
  private final List<RowGroup> groups = new ArrayList<>();
  private final List<ColumnChunk> chunks = new ArrayList<>(); // of the row group
  private int chunkStart = 4;

  /// Makes a file of a flat column.
  HandMadeFile(Type type, boolean optional, CompressionCodec codec) {
    this(
        codec,
        new SchemaElement("c")
            .setType(type)
            .setRepetition_type(
                optional ? FieldRepetitionType.OPTIONAL : FieldRepetitionType.REQUIRED));
  }

  /// Makes a file of a column that has these elements in the schema.
  HandMadeFile(CompressionCodec codec, SchemaElement... schema) {
    this.codec = codec;
    this.schema = List.of(schema);
    this.leaves = this.schema.stream().filter(SchemaElement::isSetType).toList();
    bytes.writeBytes(new byte[] {'P', 'A', 'R', '1'});
  }

  /// Returns an element of a schema: a group of so many, or where there are none a leaf of 32-bit
  /// integers.
  static SchemaElement element(String name, FieldRepetitionType repetition, int children) {
    SchemaElement element = new SchemaElement(name).setRepetition_type(repetition);
    return children == 0 ? element.setType(Type.INT32) : element.setNum_children(children);
  }

  /// Returns the column's place in the schema, for annotations.
  SchemaElement column() {
    return schema.getFirst();
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
    return dataV2(values, values, encoding, new byte[0], new byte[0], compressed, body);
  }

  HandMadeFile dataV2(
      int values,
      int rows,
      Encoding encoding,
      byte[] repetition,
      byte[] definition,
      boolean compressed,
      byte... body)
      throws IOException {
    byte[] all = join(repetition, definition, body);
    PageHeader header = new PageHeader(PageType.DATA_PAGE_V2, all.length, all.length);
    header.setData_page_header_v2(
        new DataPageHeaderV2(values, 0, rows, encoding, definition.length, repetition.length)
            .setIs_compressed(compressed));
    return page(header, all);
  }

  /// Adds a data page of version 1 with levels of both kinds.
  HandMadeFile lists(int values, byte[] repetition, byte[] definition, byte... body)
      throws IOException {
    return data(values, Encoding.PLAIN, join(sized(repetition), sized(definition), body));
  }

  HandMadeFile page(PageHeader header, byte... body) throws IOException {
    Util.writePageHeader(header, bytes);
    bytes.writeBytes(body);
    return this;
  }

  /// Appends anything.
  HandMadeFile bytes(byte... more) {
    bytes.writeBytes(more);
    return this;
  }

  /// Ends the chunk of a leaf column. The dictionary's place is left out, as Polars does.
  HandMadeFile chunk(long values) {
    return chunk(values, bytes.size() - chunkStart);
  }

  /// Ends the chunk of a leaf column that claims to have so many bytes decompressed.
  private HandMadeFile chunk(long values, long decompressed) {
    ColumnMetaData data =
        new ColumnMetaData(
            leaves.get(chunks.size()).getType(),
            List.of(),
            path(chunks.size()),
            codec,
            values,
            decompressed,
            bytes.size() - chunkStart,
            chunkStart);
    chunks.add(new ColumnChunk(0).setMeta_data(data));
    chunkStart = bytes.size();
    return this;
  }

  /// Returns the names from the column to a leaf.
  private List<String> path(int leaf) {
    List<String> path = new ArrayList<>();
    List<Integer> left = new ArrayList<>(); // children to come, of each group on the way
    int leavesBefore = 0;
    for (SchemaElement element : schema) {
      while (!left.isEmpty() && left.getLast() == 0) {
        left.removeLast();
        path.removeLast();
      }
      if (!left.isEmpty()) {
        left.set(left.size() - 1, left.getLast() - 1);
      }
      path.add(element.getName());
      if (!element.isSetType()) {
        left.add(element.getNum_children());
      } else if (leavesBefore++ == leaf) {
        return path;
      } else {
        path.removeLast();
      }
    }
    throw new IllegalStateException("no leaf " + leaf);
  }

  /// Ends a row group, and the chunk of its only column if that is still open.
  HandMadeFile group(long rows) {
    if (chunks.isEmpty()) {
      chunk(rows);
    }
    long size = chunks.stream().mapToLong(c -> c.meta_data.total_compressed_size).sum();
    groups.add(new RowGroup(List.copyOf(chunks), size, rows));
    chunks.clear();
    return this;
  }

  /// Ends a row group whose only column claims to have so many bytes decompressed.
  HandMadeFile group(long rows, long decompressed) {
    return chunk(rows, decompressed).group(rows);
  }

  BytesFile file() throws IOException {
    int start = bytes.size();
    List<SchemaElement> all = new ArrayList<>(schema);
    all.addFirst(new SchemaElement("root").setNum_children(1));
    long rows = groups.stream().mapToLong(RowGroup::getNum_rows).sum();
    Util.writeFileMetaData(new FileMetaData(1, all, rows, groups), bytes);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt(bytes.size() - start).put(new byte[] {'P', 'A', 'R', '1'});
    bytes.writeBytes(trailer.array());
    return new BytesFile(bytes.toByteArray());
  }

  /// Returns levels of up to 8 bits as one bit-packed run.
  static byte[] packed(int width, int... levels) {
    int groups = (levels.length + 7) / 8;
    byte[] packed = new byte[groups * width];
    for (int i = 0; i < levels.length * width; i++) {
      packed[i / 8] |= (byte) ((levels[i / width] >> (i % width) & 1) << (i % 8));
    }
    return join(varint(2L * groups + 1), packed);
  }

  /// Returns the same level again and again.
  static byte[] run(int level, long count) {
    return join(varint(2 * count), new byte[] {(byte) level});
  }

  private static byte[] varint(long value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long rest = value;
    for (; rest >= 0x80; rest >>>= 7) {
      bytes.write((int) (rest & 0x7f) | 0x80);
    }
    bytes.write((int) rest);
    return bytes.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static byte[] sized(byte[] levels) {
    return join(ints(levels.length), levels);
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
