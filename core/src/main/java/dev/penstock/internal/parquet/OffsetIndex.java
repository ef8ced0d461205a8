package dev.penstock.internal.parquet;

import static dev.penstock.internal.parquet.footer.Thrift.required;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.Thrift;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.PageLocation;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;

/// Where the data pages of a column chunk are, and which rows each has.
///
/// The pages lie inside the chunk, in the order of their rows and without overlap, and together
/// have all rows of the row group. A page may have no rows.
///
/// If a column is in a list, a page may not begin with a row: some writers begin one within a row,
/// and state that row or the next as its first.
final class OffsetIndex {
  private final long[] offsets;
  private final int[] bytes;
  private final long[] firstRows;

  private OffsetIndex(int pages) {
    offsets = new long[pages];
    bytes = new int[pages];
    firstRows = new long[pages + 1];
  }

  /// Reads and checks the index of a chunk in a row group of some rows; null if there is none.
  /// parquet-rs 42 writes one without pages if all values are null, which counts as none.
  static @Nullable OffsetIndex read(FilePart part, Extent place, Chunk chunk, long rows)
      throws IOException {
    byte[] source = part.readIndex(place);
    if (source == null) {
      return null;
    }
    List<PageLocation> pages;
    try {
      org.apache.parquet.format.OffsetIndex stated = new org.apache.parquet.format.OffsetIndex();
      Thrift.read(stated, source);
      pages = required(stated.getPage_locations());
    } catch (TException | PageException | RuntimeException e) {
      throw part.unparsable(place.offset(), e);
    }
    return pages.isEmpty() ? null : of(part, place, pages, chunk, rows);
  }

  private static OffsetIndex of(
      FilePart part, Extent place, List<PageLocation> pages, Chunk chunk, long rows)
      throws MalformedFileException {
    int count = pages.size();
    OffsetIndex index = new OffsetIndex(count);
    long from = chunk.offset();
    long end = chunk.offset() + chunk.bytes();
    long row = 0;
    for (int i = 0; i < count; i++) {
      PageLocation page = pages.get(i);
      long offset = page.getOffset();
      int size = page.getCompressed_page_size();
      if (offset < from || size < 0 || offset > end - size) {
        throw part.corrupt(
            place.offset(),
            Sentence.of(
                "page %d has %d bytes at %d but expected them in [%d, %d)",
                i, size, offset, from, end));
      }
      long first = page.getFirst_row_index();
      if (i == 0 ? first != 0 : first < row || first > rows) {
        throw part.corrupt(
            place.offset(),
            Sentence.of(
                "page %d starts with row %d but expected %s",
                i, first, i == 0 ? "0" : "[" + row + ", " + rows + "]"));
      }
      index.offsets[i] = offset;
      index.bytes[i] = size;
      index.firstRows[i] = first;
      from = offset + size;
      row = first;
    }
    index.firstRows[count] = rows;
    return index;
  }

  int pages() {
    return offsets.length;
  }

  int page(long row) {
    int page = Arrays.binarySearch(firstRows, 0, offsets.length, row);
    page = page < 0 ? -page - 2 : page;
    while (page + 1 < offsets.length && firstRows[page + 1] == row) {
      page++; // Pages without rows come first.
    }
    return page;
  }

  /// Returns whether each page ends where the next begins, and the last one at `end`: then no page
  /// after the first can be missing.
  boolean isGapless(long end) {
    int page = 0;
    while (page < offsets.length
        && end(page) == (page + 1 < offsets.length ? offsets[page + 1] : end)) {
      page++;
    }
    return page == offsets.length;
  }

  /// Returns where a page ends, in bytes from the start of the file.
  long end(int page) {
    return offsets[page] + bytes[page];
  }

  /// Returns where a page's header starts, in bytes from the start of the file.
  long offset(int page) {
    return offsets[page];
  }

  /// Returns the size of a page: header and compressed values.
  int bytes(int page) {
    return bytes[page];
  }

  /// Returns the first row of a page, counted from 0 in the row group.
  long firstRow(int page) {
    return firstRows[page];
  }

  long rows(int page) {
    return firstRows[page + 1] - firstRows[page];
  }
}
