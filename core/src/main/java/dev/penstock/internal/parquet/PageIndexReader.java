package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.ArenaScratch;
import dev.penstock.internal.parquet.footer.FooterStatistics;
import dev.penstock.internal.parquet.footer.FooterStatistics.Indexes;
import dev.penstock.internal.parquet.footer.ParquetMetadata;
import dev.penstock.internal.parquet.footer.Where;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// Reads a chunk's page index: the statistics of its pages, and their places.
///
/// An index whose parts contradict each other is an error rather than ignored: the file is damaged,
/// possibly elsewhere too. The statistics of single pages are checked like those of a chunk
/// ([FooterStatistics#ofPage]).
final class PageIndexReader {
  private PageIndexReader() {}

  /// Reads where the pages of a chunk are; null if the file does not state them.
  static @Nullable OffsetIndex places(
      StorageFile file, ParquetMetadata metadata, int rowGroup, int leaf) throws IOException {
    Indexes indexes = metadata.footerStatistics().indexes(rowGroup, leaf);
    String column = metadata.footerStatistics().leaf(leaf).path();
    return OffsetIndex.read(
        FilePart.ofPageIndex(file, "offset index", new Where(file.location(), rowGroup, column)),
        indexes.offsetIndex(),
        metadata.chunk(rowGroup, leaf),
        metadata.rowGroups().get(rowGroup).rowCount());
  }

  /// Reads the statistics of the pages of a column; empty if the file has none, or for columns in
  /// lists, where a row may span several pages.
  static List<PageStatistics> pages(
      StorageFile file, ParquetMetadata metadata, int rowGroup, String column) throws IOException {
    Objects.checkIndex(rowGroup, metadata.rowGroups().size());
    FooterStatistics known = metadata.footerStatistics();
    int leaf = metadata.leaf(column);
    if (leaf < 0 || known.leaf(leaf).repeated()) {
      return List.of();
    }
    Indexes indexes = known.indexes(rowGroup, leaf);
    if (!indexes.columnIndex().isSet()) {
      return List.of();
    }
    OffsetIndex places = places(file, metadata, rowGroup, leaf);
    if (places == null) {
      return List.of();
    }
    Where where = new Where(file.location(), rowGroup, column);
    try (ArenaScratch memory = new ArenaScratch()) {
      LastPage last = new LastPage(file, metadata, rowGroup, leaf, 0);
      String contradiction = last.contradiction(places, memory);
      if (contradiction != null) {
        throw FilePart.ofPageIndex(file, "offset index", where)
            .corrupt(indexes.offsetIndex().offset(), contradiction);
      }
    }
    FilePart part = FilePart.ofPageIndex(file, "column index", where);
    ColumnIndex values = ColumnIndex.read(part, indexes.columnIndex(), places.pages());
    return values == null ? List.of() : new Pages(known, leaf, places, values);
  }

  /// The pages' statistics, each unpacked on demand.
  private static final class Pages extends AbstractList<PageStatistics> implements RandomAccess {
    private final FooterStatistics known;
    private final int leaf;
    private final OffsetIndex places;
    private final ColumnIndex values;

    Pages(FooterStatistics known, int leaf, OffsetIndex places, ColumnIndex values) {
      this.known = known;
      this.leaf = leaf;
      this.places = places;
      this.values = values;
    }

    @Override
    public int size() {
      return places.pages();
    }

    @Override
    public PageStatistics get(int page) {
      Objects.checkIndex(page, size());
      long rows = places.rows(page);
      ColumnStatistics statistics =
          known.ofPage(
              leaf,
              rows,
              values.isNullPage(page),
              values.nulls(page),
              values.nans(page),
              values.min(page),
              values.max(page));
      return new PageStatistics(places.firstRow(page), rows, statistics);
    }
  }
}
