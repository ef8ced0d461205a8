package dev.penstock.internal.request;

import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.RowRange;
import dev.penstock.split.Split;
import dev.penstock.split.SplitStrategy;
import dev.penstock.storage.Location;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The splits that a client made itself, in the order of their rows, for every epoch.
///
/// @param splits rows of files, by the text of the file's location
record GivenSplits(List<Given> splits) implements SplitStrategy {
  static final Form<GivenSplits> FORM =
      Form.of(
          "splits",
          "a list of rows of files",
          (fields, name) ->
              new GivenSplits(
                  fields.objects(
                      name,
                      "a split",
                      each ->
                          new Given(
                              each.text("file"),
                              new RowRange(
                                  each.whole("offset", 0, Long.MAX_VALUE),
                                  each.whole("length", 1, Long.MAX_VALUE))))),
          given ->
              given.splits.stream()
                  .map(each ->
                      Map.of(
                          "file", each.file,
                          "offset", each.rows.offset(),
                          "length", each.rows.length()))
                  .toList());

  /// Rows of a file.
  record Given(String file, RowRange rows) {}

  @Override
  public List<Split> generate(List<DataFileInfo> files, int count, long epoch) {
    Map<String, DataFileInfo> known = new HashMap<>();
    files.forEach(file -> known.put(file.location().text(), file));
    return List.of(
        new Split(
            splits.stream()
                .map(each ->
                    FileSplit.of(file(each.file, known), each.rows.offset(), each.rows.length()))
                .toList()));
  }

  /// Returns a file, or one without rows that the check of the plan refuses by its name.
  private static DataFileInfo file(String name, Map<String, DataFileInfo> known) {
    DataFileInfo file = known.get(name);
    return file != null ? file : new DataFileInfo(new Location(name), 0, List.of());
  }
}
