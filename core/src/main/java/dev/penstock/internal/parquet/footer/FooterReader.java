package dev.penstock.internal.parquet.footer;

import static dev.penstock.internal.parquet.footer.Thrift.required;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import shaded.parquet.org.apache.thrift.TException;

/// Reads and checks the footer of a file.
///
/// The result does not contradict itself or the file's size: chunks lie inside the file, and
/// columns that are not in a list have as many values as their row group has rows.
public final class FooterReader {
  private static final int TAIL_BYTES = 64 << 10; // most footers fit in this, so one read is enough
  private static final int MAGIC = 0x31524150; // PAR1
  private static final int MAGIC_ENCRYPTED = 0x45524150; // PARE
  private static final int TRAILER_BYTES = 8;
  private static final int FILE_BYTES_MIN = 12;

  private static final Logger LOG = LoggerFactory.getLogger(FooterReader.class);

  /// Set by Spark if days before 1582 are Julian: with `LEGACY` as the rebase mode in write.
  private static final Set<String> LEGACY_CALENDAR =
      Set.of("org.apache.spark.legacyDateTime", "org.apache.spark.legacyINT96");

  private static final AtomicBoolean LEGACY_WARNED = new AtomicBoolean();

  private final StorageFile file;
  private final Where where;
  private long footerStart;

  private final Int96Form int96;
  private final boolean pageIndex;

  private FooterReader(StorageFile file, Int96Form int96, boolean pageIndex) {
    this.file = file;
    this.int96 = int96;
    this.pageIndex = pageIndex;
    this.where = Where.footer(file.location());
  }

  /// Reads the metadata of a file; without `pageIndex`, as if it had no page indexes.
  public static ParquetMetadata read(StorageFile file, Int96Form int96, boolean pageIndex)
      throws IOException {
    return new FooterReader(file, int96, pageIndex).read();
  }

  private ParquetMetadata read() throws IOException {
    if (file.size() < FILE_BYTES_MIN) {
      throw where.fail(
          -1,
          Sentence.of(
              "Truncated Parquet file: it has %s bytes but a file has at least %s.",
              file.size(), FILE_BYTES_MIN));
    }
    byte[] tail = readTail((int) Math.min(TAIL_BYTES, file.size()));
    int length = footerLength(MemorySegment.ofArray(tail));
    footerStart = file.size() - TRAILER_BYTES - length;
    if (length + TRAILER_BYTES > tail.length) {
      tail = readTail(length + TRAILER_BYTES);
    }
    int end = tail.length - TRAILER_BYTES;
    try {
      return convert(Thrift.fileMetaData(tail, end - length, end));
    } catch (PageException e) {
      throw where.fail(footerStart, e.sentence(), e);
    } catch (TException | RuntimeException e) {
      String newer = NewerFormat.inFooter(tail, end - length, end);
      throw where.fail(
          footerStart,
          newer == null
              ? Sentence.of(
                  "Corrupt Parquet file: its footer of %s bytes cannot be parsed (%s).",
                  length, Thrift.reason(e))
              : newer,
          e);
    }
  }

  private byte[] readTail(int length) throws IOException {
    return file.bytes(file.size() - length, length);
  }

  private int footerLength(MemorySegment tail) throws MalformedFileException {
    long trailer = tail.byteSize() - TRAILER_BYTES;
    int magic = tail.get(Raw.INT, trailer + 4);
    if (magic == MAGIC_ENCRYPTED) {
      throw where.fail(
          file.size() - 4,
          "Unsupported Parquet file: its footer is encrypted but encrypted files cannot be read."
              + " Write it without encryption.");
    }
    if (magic != MAGIC) {
      throw where.fail(
          file.size() - 4,
          Sentence.of(
              "Corrupt Parquet file: it ends with the bytes %08x but expected 50415231 ('PAR1')."
                  + " It is not a Parquet file, or its end is missing.",
              Integer.reverseBytes(magic)));
    }
    long length = Integer.toUnsignedLong(tail.get(Raw.INT, trailer));
    if (length > file.size() - FILE_BYTES_MIN) {
      throw where.fail(
          file.size() - TRAILER_BYTES,
          Sentence.of(
              "Truncated Parquet file: footer needs %s bytes but the file has %s.",
              length, file.size()));
    }
    if (length > Integer.MAX_VALUE - TAIL_BYTES) {
      throw where.fail(
          file.size() - TRAILER_BYTES,
          "Unsupported Parquet file: its footer has " + length + " bytes but at most 2 GiB fit.");
    }
    return (int) length;
  }

  private ParquetMetadata convert(FileMetaData metadata) throws IOException {
    int96.annotate(required(metadata.getSchema()));
    List<Column> columns = SchemaConverter.convert(required(metadata.getSchema()));
    List<LeafColumn> leaves = LeafColumn.of(required(metadata.getSchema()));
    List<Column> readable = columns.stream().flatMap(column -> column.leaves().stream()).toList();
    warnOfLegacyCalendar(metadata, leaves);
    List<RowGroup> rowGroups = new ArrayList<>();
    List<List<Chunk>> chunks = new ArrayList<>();
    long rows = 0;
    List<org.apache.parquet.format.RowGroup> groups = required(metadata.getRow_groups());
    for (int i = 0; i < groups.size(); i++) {
      org.apache.parquet.format.RowGroup group = groups.get(i);
      if (group.getNum_rows() < 0 || rows + group.getNum_rows() < 0) {
        throw corrupt("row group " + i + " has " + group.getNum_rows() + " rows");
      }
      rows += group.getNum_rows();
      rowGroups.add(new RowGroup(group.getNum_rows(), Math.max(0, group.getTotal_byte_size())));
      chunks.add(chunks(i, group, readable, leaves));
    }
    // Some writers omit the total; only the row groups' counts are used.
    if (metadata.getNum_rows() != 0 && metadata.getNum_rows() != rows) {
      throw corrupt(
          "it states " + metadata.getNum_rows() + " rows but its row groups have " + rows);
    }
    Schema schema = Schema.of(columns.stream().map(Column::field).toList());
    FooterStatistics statistics = new FooterStatistics(metadata, leaves, pageIndex);
    return new ParquetMetadata(
        schema, columns, List.copyOf(rowGroups), List.copyOf(chunks), footerStart, statistics);
  }

  private void warnOfLegacyCalendar(FileMetaData metadata, List<LeafColumn> leaves) {
    List<KeyValue> keys = metadata.getKey_value_metadata();
    boolean isLegacy =
        keys != null && keys.stream().anyMatch(key -> LEGACY_CALENDAR.contains(key.getKey()));
    boolean hasTimes =
        leaves.stream()
            .anyMatch(leaf ->
                leaf.type() instanceof DataType.Date || leaf.type() instanceof DataType.Timestamp);
    if (isLegacy && hasTimes && LEGACY_WARNED.compareAndSet(false, true)) {
      LOG.warn(
          "{} was written by Spark in its LEGACY calendar: dates and timestamps before 1582-10-15"
              + " come some days off, and timestamps before 1900 may be minutes off. Write it with"
              + " spark.sql.parquet.datetimeRebaseModeInWrite=CORRECTED. Other such files are not"
              + " named.",
          file.location());
    }
  }

  private List<Chunk> chunks(
      int index,
      org.apache.parquet.format.RowGroup group,
      List<Column> readable,
      List<LeafColumn> leaves)
      throws IOException {
    List<ColumnChunk> stored = required(group.getColumns());
    if (stored.size() != leaves.size()) {
      throw corrupt(
          Sentence.of(
              "row group %s has %s column chunks but the schema has %s leaf columns",
              index, stored.size(), leaves.size()));
    }
    Chunk[] chunks = new Chunk[leaves.size()];
    for (int leaf = 0; leaf < chunks.length; leaf++) {
      chunks[leaf] = chunk(index, stored.get(leaf), leaves.get(leaf));
    }
    for (Column leaf : readable) {
      if (chunks[leaf.leaf()].refusal() == null) {
        checkValues(index, group.getNum_rows(), stored.get(leaf.leaf()), leaf);
      }
    }
    return List.of(chunks);
  }

  private void checkValues(int index, long rows, ColumnChunk chunk, Column leaf)
      throws PageException {
    ColumnMetaData data = required(chunk.getMeta_data());
    long values = data.getNum_values();
    if (leaf.repetition() == 0 ? values != rows : values < rows) {
      throw corrupt(
          Sentence.of(
              "row group %s has %s rows but %s values in column '%s'",
              index, rows, values, String.join(".", required(data.getPath_in_schema()))));
    }
  }

  private Chunk chunk(int rowGroup, ColumnChunk chunk, LeafColumn leaf) throws IOException {
    if (chunk.isSetCrypto_metadata() || !chunk.isSetMeta_data()) {
      return refused(
          "Unsupported Parquet file: the column is encrypted but encrypted columns cannot be read."
              + " Write it without encryption.");
    }
    String elsewhere = chunk.getFile_path();
    if (elsewhere != null && !elsewhere.isEmpty()) {
      return refused(
          "Unsupported Parquet file: the column is in another file, '"
              + elsewhere
              + "', but only columns in the file itself can be read.");
    }
    ColumnMetaData data = required(chunk.getMeta_data());
    String path = String.join(".", required(data.getPath_in_schema()));
    if (data.getType() != leaf.physical() || !path.equals(leaf.path())) {
      return refused(
          Sentence.of(
              "Corrupt Parquet file: the schema has %s '%s' here but the column's own metadata say"
                  + " %s '%s'.",
              leaf.physical(), leaf.path(), String.valueOf(data.getType()), path));
    }
    long offset = data.getData_page_offset();
    // Polars omits the dictionary's offset and others write 0: then it is at the data offset.
    long dictionary = data.isSetDictionary_page_offset() ? data.getDictionary_page_offset() : 0;
    if (dictionary > 0 && dictionary < offset) {
      offset = dictionary;
    }
    long bytes = data.getTotal_compressed_size();
    if (offset < 0 || bytes < 0 || offset > footerStart - bytes) {
      throw corrupt(
          Sentence.of(
              "column '%s' of row group %s has %s bytes at %s but the footer starts at %s",
              path, rowGroup, bytes, offset, footerStart));
    }
    Codec codec = Codec.valueOf(required(data.getCodec()).name());
    String refusal =
        codec.readable()
            ? null
            : Sentence.of(
                "Unsupported Parquet codec: the column is compressed with %s but only UNCOMPRESSED,"
                    + " SNAPPY, GZIP, ZSTD, BROTLI, LZ4_RAW and LZ4 can be read. Write it with one"
                    + " of these.",
                codec);
    long uncompressedBytes = Math.max(0, data.getTotal_uncompressed_size());
    return new Chunk(
        offset, bytes, uncompressedBytes, data.getNum_values(), codec, codedPages(data), refusal);
  }

  /// Returns how many pages of dictionary codes the file states; 0 if there are other data pages.
  private static long codedPages(ColumnMetaData data) {
    List<PageEncodingStats> known = data.getEncoding_stats();
    long coded = 0;
    for (PageEncodingStats pages : known == null ? List.<PageEncodingStats>of() : known) {
      PageType type = pages.getPage_type();
      boolean isData = type == PageType.DATA_PAGE || type == PageType.DATA_PAGE_V2;
      if (isData && pages.getCount() != 0) {
        Encoding encoding = pages.getEncoding();
        if (encoding != Encoding.PLAIN_DICTIONARY && encoding != Encoding.RLE_DICTIONARY) {
          return 0;
        }
        coded += Math.max(0, pages.getCount());
      }
    }
    return coded;
  }

  private static Chunk refused(String sentence) {
    return new Chunk(0, 0, 0, 0, Codec.UNCOMPRESSED, 0, sentence);
  }

  private static PageException corrupt(String found) {
    return new PageException("Corrupt Parquet file: " + found + ".");
  }
}
