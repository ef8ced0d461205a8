package dev.penstock.internal.parquet.footer;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;
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

  // What is known as soon as the row groups are read:
  private @Nullable List<SchemaElement> schema;
  private List<Column> columns = List.of();
  private List<LeafColumn> leaves = List.of();
  private @Nullable RowGroupWalk groups;

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
      return convert(tail, end - length, end);
    } catch (PageException | TException | RuntimeException e) {
      throw failure(tail, end - length, end, e);
    }
  }

  /// Returns the error of a footer. One of thrift comes before what its numbers say.
  private MalformedFileException failure(byte[] bytes, int start, int end, Exception found) {
    Exception cause = found.getCause() instanceof PageException page ? page : found;
    try {
      new FileMetaData().read(Thrift.protocol(bytes, start, end));
    } catch (TException | RuntimeException e) {
      cause = e;
    }
    if (cause instanceof PageException page) {
      return where.fail(footerStart, page.sentence(), page);
    }
    String newer = NewerFormat.inFooter(bytes, start, end);
    return where.fail(
        footerStart,
        newer == null
            ? Sentence.of(
                "Corrupt Parquet file: its footer of %s bytes cannot be parsed (%s).",
                end - start, Thrift.reason(cause))
            : newer,
        cause);
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

  private ParquetMetadata convert(byte[] bytes, int start, int end)
      throws TException, PageException {
    FileMetaData metadata =
        Thrift.fileMetaData(
            bytes,
            start,
            end,
            (before, position) -> readRowGroups(before.getSchema(), bytes, position, end));
    if (groups == null || !Objects.equals(metadata.getSchema(), schema)) {
      throw lateSchema();
    }
    warnOfLegacyCalendar(metadata);
    // Some writers omit the total; only the row groups' counts are used.
    long rows = groups.rows();
    if (metadata.getNum_rows() != 0 && metadata.getNum_rows() != rows) {
      throw RowGroupWalk.corrupt(
          "it states " + metadata.getNum_rows() + " rows but its row groups have " + rows);
    }
    StoredChunks chunks = groups.chunks();
    return new ParquetMetadata(
        Schema.of(columns.stream().map(Column::field).toList()),
        columns,
        groups.rowGroups(),
        chunks,
        footerStart,
        new FooterStatistics(metadata, leaves, chunks, pageIndex));
  }

  private int readRowGroups(
      @Nullable List<SchemaElement> before, byte[] bytes, int position, int end) throws TException {
    try {
      if (before == null) {
        throw lateSchema();
      }
      schema = before;
      int96.annotate(before);
      columns = SchemaConverter.convert(before);
      leaves = LeafColumn.of(before);
      groups = new RowGroupWalk(bytes, position, end, columns, leaves, footerStart);
      return groups.read();
    } catch (PageException e) {
      throw new TException(e); // thrift's methods throw no other
    }
  }

  private static PageException lateSchema() {
    return RowGroupWalk.corrupt("its schema does not come before its row groups");
  }

  private void warnOfLegacyCalendar(FileMetaData metadata) {
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
}
