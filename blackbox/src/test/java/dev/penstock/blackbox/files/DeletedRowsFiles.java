package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.filter.Filter;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.tck.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;

/// Tables whose files a catalog lists, in no order, and have other rows between those that count.
///
/// Which rows of a file were deleted depends on their numbers alone.
public final class DeletedRowsFiles extends WrappedFiles {
  /// No row before was deleted: tests of a few rows write files that they read without a catalog.
  private static final long FIRST = 8;

  private final String format;

  public DeletedRowsFiles(TableWriter files, String format) {
    super(files);
    this.format = format;
  }

  public static boolean isDeleted(long row) {
    return row >= FIRST
        && (row % 300 >= 230 || (row / 64 % 3 != 1 && (row * 0x9E3779B97F4A7C15L) >>> 61 == 0));
  }

  private static Optional<RowSet> live(long rows) {
    return Optional.of(
        RowSet.allBut(rows, LongStream.range(0, rows).filter(DeletedRowsFiles::isDeleted)));
  }

  @Override
  public boolean hidesRows() {
    return true;
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    List<List<Object>> all = groups.stream().flatMap(List::stream).toList();
    List<List<List<Object>>> more = new ArrayList<>();
    long row = 0;
    for (List<List<Object>> group : groups) {
      List<List<Object>> written = new ArrayList<>();
      for (List<Object> live : group) {
        for (; isDeleted(row); row++) {
          written.add(all.get((int) (row * 31 % all.size())));
        }
        written.add(live);
        row++;
      }
      more.add(written);
    }
    files.write(path, schema, more, layout);
  }

  @Override
  public StructuredDataset open(String location, Table table) {
    FileFormat found = Installed.format(format);
    LiveRows live = (_, metadata) -> live(metadata.rowCount());
    return new StructuredDataset(
        new CatalogTable() {
          @Override
          public String name() {
            return location;
          }

          @Override
          public String version() {
            return "version 1";
          }

          @Override
          public Schema schema() {
            return read(table.schema());
          }

          @Override
          public CatalogFiles files(Optional<Filter> filter) throws IOException {
            Location folder = new Location(location);
            Storage store = Installed.store(folder, StorageOptions.NONE);
            List<CatalogFile> listed = new ArrayList<>();
            for (FileEntry entry : store.list(folder)) {
              if (entry.location().name().endsWith(extension())) {
                listed.add(
                    new CatalogFile(
                        entry,
                        store,
                        found,
                        Map.of(),
                        Optional.empty(),
                        Optional.of(live),
                        OptionalLong.empty()));
              }
            }
            Collections.shuffle(listed, new Random(1));
            return new CatalogFiles(listed, List.of());
          }
        });
  }
}
