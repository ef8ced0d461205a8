package dev.penstock.internal.parquet;

import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Chunk;
import dev.penstock.internal.parquet.footer.Where;
import dev.penstock.internal.parquet.page.Page;
import dev.penstock.internal.parquet.page.Page.Part;
import dev.penstock.internal.parquet.page.PageHeader;
import dev.penstock.internal.parquet.page.PageReader;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;
import org.jspecify.annotations.Nullable;

/// Decodes one leaf column, row group by row group.
///
/// [#decode] makes a slice of at most `want` rows; [#take] hands out the next part of it. If a
/// column decodes fewer rows than requested, the others hand out parts of their slices, so columns
/// never wait for or rewind each other.
///
/// A row of a flat column has one slot for a value, which may be null. A row of a leaf in lists has
/// any number of slots, and may continue in the next page, because some writers cut rows.
abstract sealed class ColumnReader
    permits FixedColumnReader, BoolColumnReader, VariableColumnReader {
  /// A slice of one column has about this many bytes at most, unless one value has more.
  static final long SLICE_BYTES = 16 << 20;

  private static final int SKIP_ROWS = 8192;

  final DataType type;
  final ScratchMemory memory;
  private final PageReader pages;
  private final boolean optional;
  final @Nullable Levels nested;
  private final @Nullable Repetition repetition;
  private final BitRuns levels = new BitRuns();
  private final IndexDecoder indices = new IndexDecoder();
  final SliceValidity validity; // of the slots of the slice
  private Where where;

  private record Skipped(long offset, long end) {}

  private @Nullable Skipped dictionary; // read when a page needs it
  private @Nullable PageHeader found; // the next page's header; its body is not read yet
  private boolean wholeRows; // the last row of the loaded page is known to end there
  private int pageLeft; // undecoded entries of the loaded page; these are rows unless in lists
  private boolean dataSeen; // whether a data page of this chunk was found
  private long rowsLeft; // undecoded rows of the row group

  boolean coded; // whether the page has dictionary indices
  boolean plain;
  Part data = Part.EMPTY; // the values of the page
  long position; // in `data`, if the page is plain
  private boolean started; // reading the indices of a coded page; a page of nulls may have none

  private int rows; // rows of the decoded slice
  private int slots;
  private int served;

  /// What a reader is made of.
  ///
  /// @param nested the levels of a leaf in structs, lists or maps; null for a flat column, which
  ///   has levels 0 and 1 if it is optional
  record Parts(
      DataType type,
      boolean optional,
      @Nullable Levels nested,
      PageReader pages,
      ScratchMemory memory,
      Where where) {}

  ColumnReader(Parts parts) {
    this.type = parts.type;
    this.optional = parts.optional;
    this.nested = parts.nested;
    this.repetition = nested == null ? null : nested.repetition;
    this.pages = parts.pages;
    this.memory = parts.memory;
    this.where = parts.where;
    this.validity = new SliceValidity(memory);
  }

  /// Starts on a row group, before one of its rows; `endRow` is the end of the wanted rows.
  /// `places` is where its pages are, to go straight to the first one; null if not known.
  final void open(
      Where where,
      Chunk chunk,
      long groupRows,
      long firstRow,
      long endRow,
      @Nullable OffsetIndex places)
      throws IOException {
    this.where = where;
    long row = 0;
    start(chunk);
    if (places != null && !jump(chunk, places, firstRow, endRow)) {
      start(chunk);
    } else if (places != null) {
      row = places.firstRow(places.page(firstRow));
    }
    rowsLeft = groupRows - row;
    skip(firstRow - row);
  }

  private void start(Chunk chunk) {
    pages.open(chunk);
    found = null;
    pageLeft = 0;
    dataSeen = false;
    dictionary = null;
    rows = 0;
    served = 0;
    dropDictionary();
  }

  /* The index is only a hint: if it disagrees with the page that it leads to, or that page is
   * damaged, the page is found through the headers of the pages before it. The rows are the same
   * either way. */
  private boolean jump(Chunk chunk, OffsetIndex places, long firstRow, long endRow)
      throws IOException {
    int page = places.page(firstRow);
    if (page == 0 || !places.isGapless(chunk.offset() + chunk.bytes())) {
      return false;
    }
    boolean dictionaryFirst = places.offset(0) > chunk.offset();
    dictionary = dictionaryFirst ? new Skipped(chunk.offset(), places.offset(0)) : null;
    try {
      pages.jump(
          new PageReader.Place(
              places.offset(page),
              places.end(places.page(endRow - 1)),
              chunk.values(),
              places.offset(places.pages() - 1)));
      PageHeader header = findPage();
      if (repetition == null) {
        return header.valueCount() == places.rows(page);
      }
      loadPage(header);
      return repetition.atRow() && repetition.pageRows() == places.rows(page);
    } catch (PageException e) {
      return false;
    }
  }

  /// Returns how many of `most` rows to decode so that the slice ends with this column's page.
  ///
  /// Writers tend to end the pages of all columns at the same row, and rows of a single page need
  /// no copy. If too few rows of a page are left, they are joined with the next page's rows.
  final int toPageEnd(int most) {
    boolean longEnough = pageLeft > most / 4;
    return longEnough && repetition == null ? Math.min(most, pageLeft) : most;
  }

  /// Returns how many decoded rows have not been handed out.
  final int available() {
    return rows - served;
  }

  /// Decodes the next rows, at least 1 and at most `want`, which must be left in the row group.
  final void decode(int want) throws IOException {
    rows = 0;
    slots = 0;
    served = 0;
    validity.clear();
    if (nested != null) {
      nested.startSlice();
    }
    try {
      if (nested == null || repetition == null) {
        decodeFlat(want);
      } else {
        decodeLists(nested, repetition, want);
      }
    } catch (PageException e) {
      throw where.fail(pages.pageOffset(), e.sentence(), e);
    }
  }

  private void decodeFlat(int want) throws IOException {
    int most = startSlice(want);
    while (rows < most && openPage()) {
      int count = limit(Math.min(most - rows, pageLeft), rows, pageLeft);
      if (count == 0) {
        break;
      }
      int present = nested == null ? decodeLevels(count) : nested.append(count, validity);
      decodeValues(rows, count, present, most);
      rows += count;
      slots = rows;
      pageLeft -= count;
    }
    requireEnd();
  }

  /// Counts the rows of a slice. After the last row of the row group, nothing may be left: else the
  /// rows before it were assigned wrongly.
  private void requireEnd() throws PageException {
    rowsLeft -= rows;
    if (rowsLeft == 0 && (pageLeft > 0 || found != null || !pages.isLast())) {
      throw new PageException(
          "Corrupt Parquet column: it goes on behind the last row of its row group.");
    }
  }

  /* Lists: a slice has whole rows, so it takes from each page the entries that Repetition chooses.
   * If the last row may continue in the next page, the slice has to continue too, unless it has
   * many rows before: then it ends before that row, because it may be a view of its page. */
  private void decodeLists(Levels nested, Repetition repetition, int want) throws IOException {
    int most = startSlice(nested.entriesPerSlice());
    int large = nested.entriesOfLargePage;
    boolean open = false; // whether the last row may continue
    boolean ended = false;
    while (!ended && (pageLeft > 0 || openListPage(open, most))) {
      if (!open && !repetition.atRow()) {
        throw new PageException(
            "Corrupt Parquet column: its first value, or one behind a whole row, goes on with a row"
                + " but expected the start of one.");
      }
      // A large page becomes its own slice: then this slice ends where its last row does.
      boolean join = rows == 0 || pageLeft < large;
      int budget = join ? Math.min(most - slots, limit(pageLeft, slots, pageLeft)) : 0;
      int entries = repetition.choose(rows, want, budget);
      open = !repetition.rowBehind && !wholeRows && !pages.isLast();
      if (open && rows == 0 && repetition.entriesBeforeLastRow() >= large) {
        entries = repetition.beforeLastRow();
        open = false;
      }
      int begun = rows + repetition.begun;
      boolean enough = begun == want || (rows == 0 && entries >= large);
      ended = !open && (repetition.rowBehind || pages.isLast() || enough);
      int present = entries == 0 ? 0 : nested.append(entries, validity);
      int count = validity.rows() - slots;
      if (count > 0 || slots == 0) {
        decodeValues(slots, count, present, ended ? slots + count : slots + count + 1);
      }
      slots += count;
      rows = begun;
      repetition.take();
      pageLeft -= entries;
    }
    requireEnd();
  }

  /// Hands out the next `count` decoded rows and returns the first of them.
  final int take(int count) {
    int from = served;
    served += count;
    return from;
  }

  /// Hands out the next `count` decoded rows of a leaf that is not in a list.
  final ColumnSlice slice(int count) {
    return slots(take(count), count);
  }

  /// Returns decoded slots `[from, from + count)`.
  final ColumnSlice slots(int from, int count) {
    int nulls = validity.nulls(from, count);
    return view(from, count, nulls, validity.view(from, count, nulls));
  }

  /// Makes the error for a fault that shows only when rows are handed out.
  final MalformedFileException fail(String sentence) {
    return where.fail(-1, sentence);
  }

  /// Skips rows: whole pages by their headers, the rest of a page unless its last row may continue
  /// in the next, and other rows by decoding them.
  final void skip(long count) throws IOException {
    int decoded = (int) Math.min(count, available());
    served += decoded;
    long left = count - decoded;
    while (left > 0) {
      left -= skipPages(left);
      if (left > 0) {
        decode((int) Math.min(left, SKIP_ROWS));
        served = (int) Math.min(left, rows);
        left -= served;
      }
    }
  }

  /// Skips at most `most` rows without decoding them and returns how many.
  private long skipPages(long most) throws IOException {
    long left = most;
    if (repetition == null && pageLeft <= left) {
      left -= pageLeft;
      rowsLeft -= pageLeft;
      pageLeft = 0;
    }
    try {
      while (left > 0 && pageLeft == 0) {
        PageHeader header = findPage();
        int whole = repetition == null ? header.valueCount() : header.rowCount();
        if (whole < 0 || whole > left) {
          break;
        }
        left -= whole;
        rowsLeft -= whole;
        pages.skip(header);
        found = null;
      }
    } catch (PageException e) {
      throw where.fail(pages.pageOffset(), e.sentence(), e);
    }
    return most - left;
  }

  /// Makes sure that a page with rows is loaded; returns false if the slice has to end before it.
  private boolean openPage() throws IOException {
    if (pageLeft > 0) {
      return true;
    }
    PageHeader header = findPage();
    if (!accepts(header.encoding(), rows)) {
      return false;
    }
    loadPage(header);
    return true;
  }

  /// Loads the next page, or returns false if the slice ends before it. A slice whose last row is
  /// open never does.
  private boolean openListPage(boolean open, int most) throws IOException {
    if (!open && rows > 0 && slots >= most) {
      return false;
    }
    if (found == null && pages.isLast()) {
      throw new PageException(
          "Truncated Parquet column: its values end but " + rowsLeft + " rows are still to come.");
    }
    PageHeader header = findPage();
    if (!open && rows > 0 && !accepts(header.encoding(), slots)) {
      return false;
    }
    loadPage(header);
    return true;
  }

  private void loadPage(PageHeader header) throws IOException {
    PageHeader own = header;
    if (dictionary != null && Encodings.isDictionary(header.encoding())) {
      own = goBackForDictionary(dictionary, header);
    }
    Page page = pages.load(own);
    found = null;
    pageLeft = own.valueCount();
    wholeRows = own.rowCount() >= 0;
    if (nested != null) {
      nested.startPage(page);
    } else if (optional) {
      levels.start(page.definition(), own.levels().definition(), pageLeft);
    }
    data = page.values();
    position = data.start();
    coded = Encodings.isDictionary(own.encoding());
    plain = own.encoding() == Encoding.PLAIN;
    started = false;
    startPage(page);
  }

  /// Reads headers, and the dictionary, up to the next data page with rows, and returns its header.
  private PageHeader findPage() throws IOException {
    while (found == null) {
      PageHeader header = pages.readHeader();
      if (header.type() == PageType.DICTIONARY_PAGE) {
        loadDictionary(header);
      } else if (header.type() == PageType.INDEX_PAGE || header.valueCount() == 0) {
        pages.skip(header);
      } else {
        found = header;
        dataSeen = true;
      }
    }
    return found;
  }

  /// Loads the skipped dictionary, and returns to the page whose header was read, and reads that
  /// again.
  private PageHeader goBackForDictionary(Skipped skipped, PageHeader header) throws IOException {
    dictionary = null;
    PageReader.Place page = pages.place(header);
    pages.jump(new PageReader.Place(skipped.offset(), skipped.end(), 0, skipped.offset()));
    PageHeader first = pages.readHeader();
    if (first.type() != PageType.DICTIONARY_PAGE) {
      throw noDictionary();
    }
    dataSeen = false;
    loadDictionary(first);
    dataSeen = true;
    pages.jump(page);
    return pages.readHeader();
  }

  private void loadDictionary(PageHeader header) throws IOException {
    if (dataSeen || hasDictionary()) {
      throw new PageException(
          "Corrupt Parquet column: a dictionary page comes after other pages but expected first.");
    }
    Encoding encoding = header.encoding();
    if (encoding != Encoding.PLAIN && encoding != Encoding.PLAIN_DICTIONARY) {
      throw Encodings.unsupportedDictionary(encoding);
    }
    startDictionary(pages.load(header));
  }

  private int decodeLevels(int count) throws PageException {
    if (!optional || levels.takeMax(count)) {
      validity.appendPresent(count);
      return count;
    }
    return validity.append(levels, count);
  }

  /// Returns the indices of a coded page that has values.
  final IndexDecoder indices() throws PageException {
    if (!started) {
      if (!hasDictionary()) {
        throw noDictionary();
      }
      indices.start(data.segment(), data.start(), data.end());
      started = true;
    }
    return indices;
  }

  private static PageException noDictionary() {
    return new PageException(
        "Corrupt Parquet column: a page has dictionary indices but there is no dictionary page.");
  }

  /// Prepares for a slice and returns how many slots it should have at most, in `[1, want]`.
  int startSlice(int want) {
    return want;
  }

  void dropDictionary() {}

  boolean hasDictionary() {
    return false;
  }

  abstract void startDictionary(Page page) throws PageException;

  /// Returns whether a page of this encoding should join a slice that has `slots` slots.
  ///
  /// A page in which a row continues joins the slice anyway.
  boolean accepts(Encoding encoding, int slots) {
    return true;
  }

  abstract void startPage(Page page) throws PageException;

  /// Returns how many of the page's next `count` entries should be in the slice, which has `slots`
  /// already; 0 ends it.
  int limit(int count, int slots, int pageLeft) throws PageException {
    return count;
  }

  /// Decodes slots `[at, at + count)` of the slice, of which `present` are not null; unless all
  /// are, [#validity] has the bits. Room is made for `most` slots: `at + count` only if these are
  /// the last.
  abstract void decodeValues(int at, int count, int present, int most) throws PageException;

  abstract ColumnSlice view(int from, int count, int nullCount, @Nullable MemorySegment validity);
}
