package dev.penstock.internal.rows;

import dev.penstock.format.LibraryException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.choice.Libraries;
import dev.penstock.internal.fetch.FetchedFile;
import dev.penstock.internal.fetch.Fetches;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.rows.BlockRows.BlockPlace;
import dev.penstock.internal.scan.PlainReader;
import dev.penstock.internal.scan.TableReader;
import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.Texts;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decodes blocks of rows for one call. Blocks near each other in a row group are read in one pass,
/// so that no page is decompressed twice.
///
/// **Ownership.** Holds an open file and working memory until [#close()].
///
/// **Threads.** One at a time.
final class BlockReader implements AutoCloseable {
  private static final int SLICE_ROWS_MAX = 8192;

  private final Schema columns;
  private final WorkerScratch scratch;
  private final ReadCounter counter;
  private final Fetches fetches;
  private @Nullable RowCopies block;
  private @Nullable StorageFile file;
  private @Nullable PlainReader rows;
  private long runEnd;

  /// The scratch memory is used only by this until it is closed.
  BlockReader(Schema columns, WorkerScratch scratch, ReadCounter counter, Fetches fetches) {
    this.columns = columns;
    this.scratch = scratch;
    this.counter = counter;
    this.fetches = fetches;
  }

  /// Decodes a block; its columns are valid until the next call.
  ///
  /// @param end the end of the last block that will follow it in one pass: a row of the same row
  ///   group, counted from 0 in the file
  List<ColumnSlice> read(BlockPlace place, long end) throws IOException {
    try {
      return decode(place, end);
    } catch (IOException | RuntimeException | OutOfMemoryError | LinkageError e) {
      try {
        closeRun(); // After an error, a reader can only be closed.
      } catch (IOException failed) {
        e.addSuppressed(failed);
      }
      throw explained(e, place);
    }
  }

  private List<ColumnSlice> decode(BlockPlace place, long end) throws IOException {
    RowCopies into = block;
    if (into == null) {
      into = new RowCopies(columns, Texts.WRITTEN_OUT, scratch, place.file().location());
      block = into;
    }
    into.clear(place.file().location());
    PlainReader from = positioned(place, end);
    while (into.count() < place.rows()) {
      from.read(Math.min(SLICE_ROWS_MAX, place.rows() - into.count()));
      into.append(from);
    }
    List<ColumnSlice> slices = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      slices.add(into.column(i));
    }
    return slices;
  }

  private PlainReader positioned(BlockPlace place, long end) throws IOException {
    Location location = place.file().location();
    PlainReader open = rows;
    if (open != null
        && open.file().equals(location)
        && open.end() <= place.fileRow()
        && place.fileEnd() <= runEnd) {
      open.skip(place.fileRow() - open.end());
      return open;
    }
    closeRun();
    TableFile planned = place.file();
    long first = place.fileRow();
    boolean isKept = planned.isKept(columns, first, end - first);
    StorageFile opened = counter.counting(isKept ? planned.openLate() : planned.open());
    file = opened;
    TableFile read = isKept ? planned : planned.loaded(opened);
    if (!isKept && opened.advice().isPresent()) {
      opened = ahead(opened, opened.advice().get(), read.ranges(columns, first, end - first));
      file = opened;
    }
    runEnd = end;
    open =
        new PlainReader(
            TableReader.open(read, opened, columns, first, end - first, scratch), location, first);
    rows = open;
    return open;
  }

  private StorageFile ahead(StorageFile opened, FetchAdvice advice, List<ByteRange> wanted) {
    FetchedFile fetched = new FetchedFile(opened, advice, () -> {});
    fetched.want(0, wanted);
    fetched.fetch(wanted);
    fetches.add(fetched);
    return fetches.view(fetched, 0);
  }

  private static IOException explained(Throwable cause, BlockPlace place) {
    Optional<String> blamed = Libraries.blamed(cause);
    if (blamed.isPresent()) {
      return new LibraryException(blamed.get(), cause);
    }
    Location location = place.file().location();
    boolean one = place.rows() == 1;
    String rows =
        one ? "row " + place.fileRow() : "rows [" + place.fileRow() + ", " + place.fileEnd() + ")";
    return switch (cause) {
      case MalformedFileException malformed ->
          new MalformedFileException(
              location,
              malformed.offset().orElse(-1),
              rows,
              "Cannot read the rows: " + cause.getMessage(),
              cause);
      case LibraryException library -> library;
      case IOException named
          when cause.getMessage() != null && cause.getMessage().contains(location.toString()) ->
          named;
      case IOException _ ->
          new IOException("Cannot read " + rows + " of " + location + ": " + cause, cause);
      default ->
          throw new IllegalStateException(
              "Cannot decode " + rows + " of " + location + ": " + cause, cause);
    };
  }

  private void closeRun() throws IOException {
    PlainReader open = rows;
    StorageFile opened = file;
    rows = null;
    file = null;
    try {
      if (open != null) {
        open.close();
      }
    } finally {
      if (opened != null) {
        opened.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      closeRun();
    } finally {
      if (block != null) {
        block.release();
        block = null;
      }
    }
  }
}
