package dev.penstock.internal.parquet;

import dev.penstock.format.PageStatistics;
import dev.penstock.internal.parquet.FooterStatistics.Entry;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// Reads a chunk's page index: what is known of the values in each of its pages, and their places.
///
/// An index whose parts contradict each other is an error and not just left out: the file is
/// damaged, and nobody knows where else. What single pages state is believed or not as for a chunk
/// ([StatedStatistics]).
final class PageIndexReader {
  private PageIndexReader() {}

  /// Reads where the pages of a chunk are.
  ///
  /// @param leaf the place of the chunk in its row group
  /// @return null if the file does not say
  static @Nullable OffsetIndex places(
      StorageFile file, ParquetMetadata metadata, int rowGroup, int leaf) throws IOException {
    Entry entry = metadata.footerStatistics().entry(rowGroup, leaf);
    String column = metadata.footerStatistics().leaf(leaf).path();
    return OffsetIndex.read(
        FilePart.ofPageIndex(file, "offset index", new Where(file.location(), rowGroup, column)),
        entry.offsetIndex(),
        metadata.chunks().get(rowGroup).get(leaf),
        metadata.rowGroups().get(rowGroup).rowCount());
  }

  /// Reads what is known of the pages of a column.
  ///
  /// @return nothing if the file does not say, or for what is in lists, where a row may lie in
  ///   several pages
  static List<PageStatistics> pages(
      StorageFile file, ParquetMetadata metadata, int rowGroup, String column) throws IOException {
    Objects.checkIndex(rowGroup, metadata.rowGroups().size());
    FooterStatistics known = metadata.footerStatistics();
    int leaf = metadata.leaf(column);
    if (leaf < 0 || known.leaf(leaf).repeated()) {
      return List.of();
    }
    Entry entry = known.entry(rowGroup, leaf);
    if (!entry.columnIndex().isSet()) {
      return List.of();
    }
    OffsetIndex places = places(file, metadata, rowGroup, leaf);
    if (places == null) {
      return List.of();
    }
    Where where = new Where(file.location(), rowGroup, column);
    try (Arena arena = Arena.ofConfined()) {
      LastPage last = new LastPage(file, metadata, rowGroup, leaf, 0);
      String contradiction = last.contradiction(places, new ArenaMemory(arena));
      if (contradiction != null) {
        throw FilePart.ofPageIndex(file, "offset index", where)
            .corrupt(entry.offsetIndex().offset(), contradiction);
      }
    }
    FilePart part = FilePart.ofPageIndex(file, "column index", where);
    ColumnIndex values = ColumnIndex.read(part, entry.columnIndex(), places.pages());
    return values == null ? List.of() : new Pages(known, leaf, places, values);
  }

  /// The pages, each unpacked when it is asked for.
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
      return new PageStatistics(
          places.firstRow(page), places.rows(page), stated(page).checked(known.leaf(leaf)));
    }

    private StatedStatistics stated(int page) {
      long rows = places.rows(page);
      long nulls = known.countsRight(values.nulls(page)) ? values.nulls(page) : -1;
      boolean allNull = values.isNullPage(page);
      if (allNull && values.nulls(page) >= 0 && values.nulls(page) != rows) {
        return StatedStatistics.counts(rows, -1, -1); // One of the two is wrong.
      }
      StatedStatistics counts =
          StatedStatistics.counts(rows, allNull ? rows : nulls, values.nans(page));
      if (!known.isOrdered(leaf)) {
        return counts;
      }
      boolean exact = !known.leaf(leaf).isBytes();
      return allNull && values.min(page).length() == 0 && values.max(page).length() == 0
          ? counts
          : counts.withMin(values.min(page), exact).withMax(values.max(page), exact);
    }
  }
}
