package dev.penstock.internal.parquet;

import dev.penstock.format.ColumnSlice;
import dev.penstock.format.ScratchMemory;
import dev.penstock.internal.parquet.ParquetMetadata.Chunk;
import dev.penstock.schema.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;
import org.jspecify.annotations.Nullable;

/// Decodes one column, row group by row group.
///
/// [#decode] makes a slice of at most so many rows; [#slice] hands out the next part of it. A
/// column may decode fewer rows than it was asked for, and then the others hand out parts of what
/// they have: so columns never wait for or rewind each other.
abstract sealed class ColumnReader
    permits FixedColumnReader, BoolColumnReader, VariableColumnReader {
  /// A slice of one column has about this many bytes at most, unless one value has more.
  static final long SLICE_BYTES = 16 << 20;

  private static final int SKIP_ROWS = 8192;

  final DataType type;
  final PageReader pages;
  private final boolean optional;
  private final BitRuns levels = new BitRuns();
  private final Buffer validity;
  private final Buffer shiftedValidity;
  private Where where;

  private boolean pageFound; // its header is read, its body not
  private int pageRows; // rows of the loaded page that are not decoded yet
  private boolean dataSeen; // in this chunk

  private int rows; // of the decoded slice
  private int served;
  private int nulls;
  private boolean hasValidity;

  ColumnReader(
      DataType type, boolean optional, PageReader pages, ScratchMemory memory, Where where) {
    this.type = type;
    this.optional = optional;
    this.pages = pages;
    this.where = where;
    this.validity = new Buffer(memory);
    this.shiftedValidity = new Buffer(memory);
  }

  /// Starts on a row group, before row `firstRow` of it.
  final void open(Where where, Chunk chunk, long groupRows, long firstRow) throws IOException {
    this.where = where;
    pages.open(chunk, groupRows);
    pageFound = false;
    pageRows = 0;
    dataSeen = false;
    rows = 0;
    served = 0;
    dropDictionary();
    skip(firstRow);
  }

  /// Returns how many of `most` rows to decode so that the slice ends with this column's page.
  ///
  /// Writers tend to end the pages of all columns at the same row, and rows of one page need not be
  /// copied. The rest of a page that is too short for a slice is joined with the next one's rows.
  final int toPageEnd(int most) {
    boolean longEnough = pageRows > most / 4;
    return longEnough ? Math.min(most, pageRows) : most;
  }

  /// Returns how many decoded rows have not been handed out.
  final int available() {
    return rows - served;
  }

  /// Decodes the next rows, at least 1 and at most `want`, which the row group has.
  final void decode(int want) throws IOException {
    rows = 0;
    served = 0;
    nulls = 0;
    hasValidity = false;
    try {
      int most = startSlice(want);
      while (rows < most && openPage()) {
        int count = limit(Math.min(most - rows, pageRows), rows, pageRows);
        if (count == 0) {
          return;
        }
        int present = decodeLevels(count);
        decodeValues(rows, count, present, most);
        rows += count;
        pageRows -= count;
      }
    } catch (PageException e) {
      throw where.fail(pages.pageOffset, e.sentence(), e);
    }
  }

  /// Hands out the next `count` decoded rows.
  final ColumnSlice slice(int count) {
    int from = served;
    served += count;
    if (!hasValidity || nulls == 0) {
      return view(from, count, 0, null);
    }
    int nullCount = count == rows ? nulls : count - Bits.count(validity.segment(), from, count);
    MemorySegment bits =
        nullCount == 0 ? null : Bits.view(validity.segment(), from, count, shiftedValidity);
    return view(from, count, nullCount, bits);
  }

  void close() {
    pages.close();
    validity.release();
    shiftedValidity.release();
  }

  /// Skips rows: whole pages by their headers, the rest by decoding.
  private void skip(long count) throws IOException {
    long left = count;
    try {
      while (left > 0) {
        findPage();
        if (pages.valueCount > left) {
          break;
        }
        left -= pages.valueCount;
        pages.skip();
        pageFound = false;
      }
    } catch (PageException e) {
      throw where.fail(pages.pageOffset, e.sentence(), e);
    }
    while (left > 0) {
      decode((int) Math.min(left, SKIP_ROWS));
      left -= rows;
    }
    rows = 0;
    served = 0;
  }

  /// Makes sure that a page with rows is loaded; false where the slice has to end before it.
  private boolean openPage() throws IOException {
    if (pageRows > 0) {
      return true;
    }
    findPage();
    if (!accepts(pages.encoding, rows)) {
      return false;
    }
    pages.load();
    pageFound = false;
    pageRows = pages.valueCount;
    if (optional) {
      pages.startLevels(levels);
    }
    startPage(pages.encoding);
    return true;
  }

  /// Reads headers, and the dictionary, up to the next data page with rows.
  private void findPage() throws IOException {
    while (!pageFound) {
      pages.readHeader();
      if (pages.type == PageType.DICTIONARY_PAGE) {
        loadDictionary();
      } else if (pages.type == PageType.INDEX_PAGE || pages.valueCount == 0) {
        pages.skip();
      } else {
        pageFound = true;
        dataSeen = true;
      }
    }
  }

  private void loadDictionary() throws IOException {
    if (dataSeen || hasDictionary()) {
      throw new PageException(
          "Corrupt Parquet column: a dictionary page comes after other pages but expected first.");
    }
    if (pages.encoding != Encoding.PLAIN && pages.encoding != Encoding.PLAIN_DICTIONARY) {
      throw unsupported("dictionary", pages.encoding);
    }
    pages.load();
    startDictionary();
  }

  private int decodeLevels(int count) throws PageException {
    if (!optional) {
      return count;
    }
    if (levels.takeOnes(count)) {
      if (hasValidity) {
        Bits.appendOnes(growValidity(count), rows, count);
      }
      return count;
    }
    MemorySegment bitmap = growValidity(count);
    if (!hasValidity) {
      Bits.appendOnes(bitmap, 0, rows);
      hasValidity = true;
    }
    int present = 0;
    for (int done = 0; done < count; ) {
      // Up to a word's edge first, then word by word.
      int part = Math.min(count - done, 64 - ((rows + done) & 63));
      long bits = levels.take(part);
      Bits.append(bitmap, rows + done, bits, part);
      present += Long.bitCount(bits);
      done += part;
    }
    nulls += count - present;
    return present;
  }

  private MemorySegment growValidity(int count) {
    return validity.grow(Bits.bytes((long) rows + count), Bits.bytes(rows));
  }

  final MemorySegment validity() {
    return validity.segment();
  }

  static PageException unsupported(String what, Encoding encoding) {
    return new PageException(
        "Unsupported Parquet encoding: the column's "
            + what
            + " is encoded as "
            + encoding
            + " but only PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY and RLE (booleans) can be read."
            + " Write it with one of these.");
  }

  static boolean isDictionary(Encoding encoding) {
    return encoding == Encoding.PLAIN_DICTIONARY || encoding == Encoding.RLE_DICTIONARY;
  }

  final PageException noDictionary() {
    return new PageException(
        "Corrupt Parquet column: a page has dictionary indices but there is no dictionary page.");
  }

  /// Prepares for a slice and returns the most rows that it will have, in `[1, want]`.
  abstract int startSlice(int want);

  /// Forgets the dictionary of the last chunk.
  abstract void dropDictionary();

  abstract boolean hasDictionary();

  /// Takes the loaded dictionary page.
  abstract void startDictionary() throws PageException;

  /// Tells whether a page of this encoding can be in the slice behind `rows` others.
  abstract boolean accepts(Encoding encoding, int rows);

  /// Starts on the loaded data page.
  abstract void startPage(Encoding encoding) throws PageException;

  /// Returns how many of `count` rows to decode; 0 ends the slice.
  int limit(int count, int rows, int pageRows) {
    return count;
  }

  /// Decodes rows `[at, at + count)` of the slice.
  ///
  /// @param present how many of them are not null; the bits are in [#validity()] unless all are
  /// @param most the most rows that the slice will have
  abstract void decodeValues(int at, int count, int present, int most) throws PageException;

  /// Returns decoded rows `[from, from + count)`.
  abstract ColumnSlice view(int from, int count, int nullCount, @Nullable MemorySegment validity);
}
