package dev.penstock.internal.parquet.footer;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.parquet.format.FileMetaData;
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

  // The fields of FileMetaData, and of a KeyValue.
  private static final int VERSION = 1 << 4 | CompactInput.I32;
  private static final int SCHEMA = 2 << 4 | CompactInput.LIST;
  private static final int NUM_ROWS = 3 << 4 | CompactInput.I64;
  private static final int ROW_GROUPS = 4 << 4 | CompactInput.LIST;
  private static final int KEY_VALUES = 5 << 4 | CompactInput.LIST;
  private static final int CREATED_BY = 6 << 4 | CompactInput.BINARY;
  private static final int COLUMN_ORDERS = 7 << 4 | CompactInput.LIST;
  private static final int REQUIRED = 0b1_1110;
  private static final int KEY = 1 << 4 | CompactInput.BINARY;

  private static final Logger LOG = LoggerFactory.getLogger(FooterReader.class);

  /// Set by Spark if days before 1582 are Julian: with `LEGACY` as the rebase mode in write.
  private static final Set<String> LEGACY_CALENDAR =
      Set.of("org.apache.spark.legacyDateTime", "org.apache.spark.legacyINT96");

  private static final AtomicBoolean LEGACY_WARNED = new AtomicBoolean();

  private final StorageFile file;
  private final Where where;
  private long footerStart;

  private final LastFooter last;
  private final boolean pageIndex;

  // What was read so far:
  private @Nullable StoredSchema schema;
  private @Nullable RowGroupWalk groups;
  private long rows;
  private String createdBy = "";
  private int[] orders = {};
  private boolean isLegacy; // of Spark's calendar

  private FooterReader(StorageFile file, LastFooter last, boolean pageIndex) {
    this.file = file;
    this.last = last;
    this.pageIndex = pageIndex;
    this.where = Where.footer(file.location());
  }

  /// Reads the metadata of a file; without `pageIndex`, as if it had no page indexes.
  public static ParquetMetadata read(StorageFile file, LastFooter last, boolean pageIndex)
      throws IOException {
    return new FooterReader(file, last, pageIndex).read();
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
    StoredSchema before = last.schema();
    CompactInput input = new CompactInput(bytes, start, end);
    int seen = 0;
    for (int field = input.field(0); field != 0; field = input.field(field)) {
      switch (field) {
        case VERSION -> input.number();
        case SCHEMA -> readSchema(input);
        case NUM_ROWS -> rows = input.number();
        case ROW_GROUPS -> readRowGroups(input, end);
        case KEY_VALUES -> {
          readKeys(input);
          continue;
        }
        case CREATED_BY -> {
          createdBy = input.text();
          continue;
        }
        case COLUMN_ORDERS -> {
          readOrders(input);
          continue;
        }
        default -> {
          input.skip(field);
          continue;
        }
      }
      seen |= 1 << (field >> 4);
    }
    StoredChunk.require((seen & REQUIRED) == REQUIRED && input.position() <= end);
    StoredSchema known = Objects.requireNonNull(schema);
    RowGroupWalk walked = Objects.requireNonNull(groups);
    warnOfLegacyCalendar(known);
    // Some writers omit the total; only the row groups' counts are used.
    if (rows != 0 && rows != walked.rows()) {
      throw RowGroupWalk.corrupt(
          "it states " + rows + " rows but its row groups have " + walked.rows());
    }
    StoredChunks chunks = walked.chunks();
    return new ParquetMetadata(
        known,
        !known.equals(before),
        walked.rowGroups(),
        chunks,
        footerStart,
        new FooterStatistics(last.writer(createdBy), orders, known.leaves(), chunks, pageIndex));
  }

  private void readSchema(CompactInput input) throws TException, PageException {
    int start = input.position();
    for (int i = input.list(); i > 0; i--) {
      input.skip(CompactInput.STRUCT);
    }
    if (groups != null) {
      throw lateSchema();
    }
    schema = last.schema(input.bytes(), start, input.position());
  }

  private void readRowGroups(CompactInput input, int end) throws TException, PageException {
    if (schema == null) {
      throw lateSchema();
    }
    groups = new RowGroupWalk(input.bytes(), input.position(), end, schema, footerStart);
    input.moveTo(groups.read());
  }

  private void readKeys(CompactInput input) throws TException {
    for (int i = input.list(); i > 0; i--) {
      for (int field = input.field(0); field != 0; field = input.field(field)) {
        if (field == KEY) {
          isLegacy |= LEGACY_CALENDAR.contains(input.text());
        } else {
          input.skip(field);
        }
      }
    }
  }

  private void readOrders(CompactInput input) throws TException {
    orders = new int[input.list()];
    for (int i = 0; i < orders.length; i++) {
      for (int field = input.field(0); field != 0; field = input.field(field)) {
        orders[i] = field;
        input.skip(field);
      }
    }
  }

  private static PageException lateSchema() {
    return RowGroupWalk.corrupt("its schema does not come before its row groups");
  }

  private void warnOfLegacyCalendar(StoredSchema known) {
    if (isLegacy && known.hasTimes() && LEGACY_WARNED.compareAndSet(false, true)) {
      LOG.warn(
          "{} was written by Spark in its LEGACY calendar: dates and timestamps before 1582-10-15"
              + " come some days off, and timestamps before 1900 may be minutes off. Write it with"
              + " spark.sql.parquet.datetimeRebaseModeInWrite=CORRECTED. Other such files are not"
              + " named.",
          file.location());
    }
  }
}
