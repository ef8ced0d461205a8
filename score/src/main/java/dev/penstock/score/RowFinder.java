package dev.penstock.score;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Rank;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.List;

/// Says in which file and row of it the rows of a part are, by reading the part once more.
final class RowFinder {
  private static final String NUMBER = "penstock row number";

  /// The place of a row.
  ///
  /// @param row its number in the file, counted from 0
  record Place(Location file, long row) {}

  private RowFinder() {}

  /// Finds rows.
  ///
  /// @param dataset with the filter, before columns are chosen
  /// @param indexes the rows' numbers among those of the part that the filter keeps, ascending
  static List<Place> places(StructuredDataset dataset, Rank part, List<Long> indexes) {
    StructuredDataset numbered = dataset.rowIndex(NUMBER).columns(NUMBER);
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(8192).workers(1).rank(part).countMatches(false);
    List<DataFileInfo> files = dataset.files();
    List<Place> places = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(numbered, options)) {
      long start = 0;
      for (Batch batch : loader) {
        try (batch) {
          while (places.size() < indexes.size()
              && indexes.get(places.size()) < start + batch.rowCount()) {
            long at = indexes.get(places.size()) - start;
            places.add(place(files, batch.tensor(NUMBER).getLong(at)));
          }
          start += batch.rowCount();
        }
        if (places.size() == indexes.size()) {
          break;
        }
      }
    }
    return places;
  }

  private static Place place(List<DataFileInfo> files, long number) {
    long start = 0;
    for (DataFileInfo file : files) {
      if (number < start + file.rows()) {
        return new Place(file.location(), number - start);
      }
      start += file.rows();
    }
    throw new IllegalStateException("No file has row " + number);
  }
}
