package dev.penstock.internal.parquet;

import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.xerial.snappy.Snappy;

/// A Parquet file of one row group of any size, whose bytes are made when they are read.
///
/// All columns are required doubles. A column's chunk is one page over and over.
final class RepeatingFile implements StorageFile {
  private static final int PAGE_ROWS = 16_384;
  private static final byte[] MAGIC = {'P', 'A', 'R', '1'};

  private final List<byte[]> pages = new ArrayList<>(); // one for each column, header included
  private final List<Long> starts = new ArrayList<>(); // of each chunk, then of the footer
  private final int pagesPerChunk;
  private final byte[] footer;

  RepeatingFile(int columns, int pagesPerChunk, CompressionCodec codec) throws IOException {
    this.pagesPerChunk = pagesPerChunk;
    starts.add((long) MAGIC.length);
    List<SchemaElement> schema = new ArrayList<>();
    schema.add(new SchemaElement("root").setNum_children(columns));
    List<ColumnChunk> chunks = new ArrayList<>();
    long rowGroupBytes = 0;
    for (int column = 0; column < columns; column++) {
      String name = "c" + column;
      byte[] page = page(column, codec);
      long start = starts.getLast();
      long bytes = (long) page.length * pagesPerChunk;
      pages.add(page);
      starts.add(start + bytes);
      schema.add(
          new SchemaElement(name)
              .setType(Type.DOUBLE)
              .setRepetition_type(FieldRepetitionType.REQUIRED));
      long plainBytes = rows() * 8;
      chunks.add(
          new ColumnChunk(0)
              .setMeta_data(
                  new ColumnMetaData(
                      Type.DOUBLE,
                      List.of(Encoding.PLAIN),
                      List.of(name),
                      codec,
                      rows(),
                      plainBytes,
                      bytes,
                      start)));
      rowGroupBytes += plainBytes;
    }
    RowGroup group = new RowGroup(chunks, rowGroupBytes, rows());
    footer = footer(new FileMetaData(1, schema, rows(), List.of(group)));
  }

  /// Returns the value of a row.
  static double value(int column, long row) {
    return column * 100_000.0 + row % PAGE_ROWS;
  }

  long rows() {
    return (long) PAGE_ROWS * pagesPerChunk;
  }

  private static byte[] page(int column, CompressionCodec codec) throws IOException {
    ByteBuffer values = ByteBuffer.allocate(PAGE_ROWS * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int row = 0; row < PAGE_ROWS; row++) {
      values.putDouble(value(column, row));
    }
    byte[] plain = values.array();
    byte[] body = codec == CompressionCodec.SNAPPY ? Snappy.compress(plain) : plain;
    PageHeader header = new PageHeader(PageType.DATA_PAGE, plain.length, body.length);
    header.setData_page_header(
        new DataPageHeader(PAGE_ROWS, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    Util.writePageHeader(header, page);
    page.writeBytes(body);
    return page.toByteArray();
  }

  private static byte[] footer(FileMetaData metadata) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Util.writeFileMetaData(metadata, bytes);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.writeBytes(trailer.putInt(bytes.size()).put(MAGIC).array());
    return bytes.toByteArray();
  }

  @Override
  public Location location() {
    return new Location("memory://repeating");
  }

  @Override
  public long size() {
    return starts.getLast() + footer.length;
  }

  @Override
  public String version() {
    return "";
  }

  @Override
  public long read(long offset, MemorySegment target) {
    Objects.checkFromIndexSize(offset, target.byteSize(), size());
    for (long done = 0; done < target.byteSize(); ) {
      done += read(offset + done, target.asSlice(done), chunk(offset + done));
    }
    return target.byteSize();
  }

  /// Returns the chunk that an offset is in; -1 for the magic bytes, the last for the footer.
  private int chunk(long offset) {
    int chunk = -1;
    while (chunk + 1 < starts.size() && starts.get(chunk + 1) <= offset) {
      chunk++;
    }
    return chunk;
  }

  /// Reads up to the end of a page, or of the footer.
  private static long copy(byte[] bytes, long from, MemorySegment target) {
    long count = Math.min(bytes.length - from, target.byteSize());
    MemorySegment.copy(MemorySegment.ofArray(bytes), from, target, 0, count);
    return count;
  }

  private long read(long offset, MemorySegment target, int chunk) {
    if (chunk < 0) {
      return copy(MAGIC, offset, target);
    }
    long from = offset - starts.get(chunk);
    if (chunk == pages.size()) {
      return copy(footer, from, target);
    }
    byte[] page = pages.get(chunk);
    return copy(page, from % page.length, target);
  }

  @Override
  public void close() {}
}
