package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// A folder of small Parquet files for tests of what can go wrong with them.
///
/// @param path the folder
public record Folder(Path path) {
  public static final Schema ID =
      Schema.of(List.of(new Field("id", new DataType.Int(64, true), false)));

  /// Writes files that together count from 0, each with the given row groups.
  public Folder counting(int[]... rowsOfGroupsOfFiles) throws IOException {
    new ParquetFiles().write(path, Tables.counting(rowsOfGroupsOfFiles), new Random(1));
    return this;
  }

  /// Writes one file.
  public Path write(String name, Schema schema, List<List<Object>> rows) throws IOException {
    Path file = path.resolve(name);
    Files.createDirectories(file.getParent());
    new ParquetFiles().write(file, schema, List.of(rows), new Random(1));
    return file;
  }

  public Path part(int index) {
    return path.resolve("part-" + index + ".parquet");
  }

  public StructuredDataset dataset() {
    return new StructuredDataset(path.toString());
  }

  public static LoaderOptions options() {
    return LoaderOptions.defaults().batchSize(10).workers(2);
  }

  /// Returns rows of one `id` each.
  public static List<List<Object>> ids(long from, long to) {
    List<List<Object>> rows = new ArrayList<>();
    for (long id = from; id < to; id++) {
      rows.add(List.of(id));
    }
    return rows;
  }

  /// Deletes a folder and what is in it.
  public static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
