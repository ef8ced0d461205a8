package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.page.PageFile;
import dev.penstock.internal.parquet.page.PageHeader;
import dev.penstock.internal.parquet.page.PageReader;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks a column chunk's offset index against the chunk's last page with rows.
///
/// If an index has a wrong row count for one page, it assigns wrong rows to all pages after it,
/// including the last. Two such faults that cancel out before the last page are not detected.
///
/// Reading a page costs time, so an index that was found right is not checked again. If the leaf is
/// in lists or maps, the page's rows have to be counted.
record LastPage(StorageFile file, ParquetMetadata metadata, int rowGroup, int leaf, int lists) {
  /// How many bytes of a page to read, to most likely have its header.
  private static final int READ_BYTES = 512;

  /// Adds the ranges that [#contradiction] will read.
  void addRange(OffsetIndex places, List<ByteRange> ranges) {
    if (!isRight()) {
      int page = page(places);
      int bytes = lists > 0 ? places.bytes(page) : Math.min(READ_BYTES, places.bytes(page));
      ranges.add(new ByteRange(places.offset(page), bytes));
    }
  }

  /// Reads the page and compares it with the index. Returns the contradiction, as a clause; null if
  /// they agree.
  @Nullable String contradiction(OffsetIndex places, ScratchMemory memory) throws IOException {
    if (isRight()) {
      return null;
    }
    int page = page(places);
    String found;
    try {
      long rows = rows(places, page, memory);
      if (rows == places.rows(page)) {
        metadata.footerStatistics().placesAreRight(rowGroup, leaf);
        return null;
      }
      found = rows + " rows";
    } catch (PageException e) {
      found = "an unknown number (" + e.sentence() + ")";
    }
    return "page " + page + " has " + found + " but expected " + places.rows(page) + " rows";
  }

  private boolean isRight() {
    return metadata.footerStatistics().arePlacesRight(rowGroup, leaf);
  }

  private static int page(OffsetIndex places) {
    int page = places.pages() - 1;
    while (page > 0 && places.rows(page) == 0) {
      page--;
    }
    return page;
  }

  private long rows(OffsetIndex places, int page, ScratchMemory memory) throws IOException {
    Chunk chunk = metadata.chunk(rowGroup, leaf);
    try (PageFile shared = new PageFile(file, metadata, memory)) {
      PageReader pages = new PageReader(shared, lists, 0, READ_BYTES);
      pages.open(chunk);
      long offset = places.offset(page);
      pages.jump(new PageReader.Place(offset, places.end(page), chunk.values(), offset));
      PageHeader header = pages.readHeader();
      return lists > 0 ? rowsOfLists(pages, header) : header.valueCount();
    }
  }

  private long rowsOfLists(PageReader pages, PageHeader header) throws IOException {
    if (header.rowCount() >= 0) {
      return header.rowCount();
    }
    Repetition repetition = new Repetition(lists, Integer.MAX_VALUE);
    repetition.startPage(pages.load(header));
    return repetition.pageRows();
  }
}
