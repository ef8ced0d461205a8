package dev.penstock.score;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What [Scorer#check] compared.
///
/// @param parts the files, each as it was written
/// @param rows the rows in them, whose keys are those of the table
/// @param skipped the rows of the table that are not in them but in the lists of skipped rows
public record ScoreCheck(int parts, long rows, long skipped) {
  /// {@return the locations of the table whose rows a folder has scores of}
  ///
  /// @param folder the folder
  /// @param storageOptions options of its store, as [dev.penstock.StructuredDataset#storageOption]
  /// @throws IOException if it cannot be read
  /// @throws ScoresDifferException if there are no scores
  public static List<String> tableOf(String folder, Map<String, String> storageOptions)
      throws IOException {
    StorageOptions options = StorageOptions.NONE;
    for (Map.Entry<String, String> option : storageOptions.entrySet()) {
      options = options.with(option.getKey(), option.getValue());
    }
    ScoreFolder scores = ScoreFolder.of(folder, options);
    return Job.read(quoted(scores, Job.FILE), required(scores, Job.FILE)).table();
  }

  static ScoreCheck of(Scorer scorer, ScoreFolder folder) throws IOException {
    Job job = Job.read(quoted(folder, Job.FILE), required(folder, Job.FILE));
    Manifest manifest =
        Manifest.read(quoted(folder, Manifest.FILE), required(folder, Manifest.FILE));
    if (!manifest.plan().equals(job.hash()) || manifest.parts().size() != job.parts().count()) {
      throw differs(folder, "its manifest is of other scores than '" + Job.FILE + "'");
    }
    Set<String> names = new HashSet<>();
    manifest.parts().forEach(part -> names.add(part.name()));
    List<String> strangers = folder.strangers(names);
    if (!strangers.isEmpty()) {
      throw differs(folder, "there is a file that is no part, '" + strangers.getFirst() + "'");
    }
    StructuredDataset keys = scorer.dataset.columns(job.keys());
    requireSameRows(scorer, job, folder);
    for (int part = 0; part < manifest.parts().size(); part++) {
      MadePart stated = manifest.parts().get(part);
      if (!stated.name().equals(job.parts().name(part, job.hash()))) {
        throw differs(folder, "part " + part + " is named '" + stated.name() + "'");
      }
      compare(folder, stated, keys, job.parts().rank(part), scorer);
    }
    return new ScoreCheck(manifest.parts().size(), manifest.rows(), manifest.skipped());
  }

  private static void requireSameRows(Scorer scorer, Job job, ScoreFolder folder) {
    try {
      PlannedRows.requireSame(scorer, job);
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage()).replaceFirst("\\.$", "");
      throw differs(folder, "its scores are of other rows. " + why);
    }
  }

  private static void compare(
      ScoreFolder folder, MadePart stated, StructuredDataset table, Rank part, Scorer scorer)
      throws IOException {
    if (!Sha256.of(required(folder, stated.name())).equals(stated.sha256())) {
      throw differs(folder, "'" + stated.name() + "' is not as it was written");
    }
    Set<Long> skipped = skipped(folder, stated);
    StructuredDataset file =
        scorer.stored(folder.file(stated.name()).text(), table.columns().orElseThrow());
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(8192)
            .workers(1)
            .output(OutputFormat.MAP)
            .countMatches(false);
    try (DataLoader expected = DataLoader.of(table, options.rank(part));
        DataLoader actual = DataLoader.of(file, options.rank(Rank.SINGLE));
        Cursor wanted = new Cursor(expected);
        Cursor written = new Cursor(actual)) {
      long row = 0;
      for (long index = 0; wanted.hasNext(); index++) {
        List<Object> keys = wanted.next();
        if (!skipped.contains(index)) {
          List<Object> scored = written.hasNext() ? written.next() : List.of();
          if (!Objects.deepEquals(keys.toArray(), scored.toArray())) {
            throw differs(
                folder,
                "row "
                    + row
                    + " of '"
                    + stated.name()
                    + "' has keys "
                    + scored
                    + " but "
                    + keys
                    + " in the table");
          }
          row++;
        }
      }
      if (written.hasNext()) {
        throw differs(
            folder,
            "row "
                + row
                + " of '"
                + stated.name()
                + "' has keys "
                + written.next()
                + " that are not in the table's part");
      }
    }
  }

  private static Set<Long> skipped(ScoreFolder folder, MadePart part) throws IOException {
    return part.skipped() == 0
        ? Set.of()
        : SkippedRow.indexes(
            quoted(folder, part.skippedFile()), required(folder, part.skippedFile()));
  }

  /// Reads one row after another.
  private static final class Cursor implements AutoCloseable {
    private final EpochIterator<Batch> batches;
    private List<List<?>> columns = List.of();
    private int row;
    private int rows;

    Cursor(DataLoader loader) {
      this.batches = loader.iterator();
    }

    boolean hasNext() {
      while (row == rows && batches.hasNext()) {
        try (Batch batch = batches.next()) {
          columns = new ArrayList<>();
          for (String name : batch.names()) {
            columns.add(new ArrayList<>(batch.list(name))); // with nulls
          }
          row = 0;
          rows = batch.rowCount();
        }
      }
      return row < rows;
    }

    List<Object> next() {
      List<Object> values = new ArrayList<>();
      for (List<?> column : columns) {
        values.add(column.get(row));
      }
      row++;
      return values;
    }

    @Override
    public void close() {
      batches.close();
    }
  }

  private static String quoted(ScoreFolder folder, String name) {
    return "'" + folder.file(name) + "'";
  }

  private static byte[] required(ScoreFolder folder, String name) throws IOException {
    return folder
        .read(name)
        .orElseThrow(() ->
            differs(
                folder,
                "there is no '" + name + "'. If a run was stopped, start it again: it goes on"));
  }

  private static ScoresDifferException differs(ScoreFolder folder, String what) {
    return new ScoresDifferException(
        "The scores in '" + folder.location() + "' are not whole: " + what + ".");
  }
}
