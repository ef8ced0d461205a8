package dev.penstock.benchmarks;

import dev.penstock.delta.DeltaDataset;
import java.nio.file.Path;
import java.util.List;

/// What deletion vectors of Delta tables cost: a table with deleted rows beside one that has only
/// the rows that are left. `benchmarks/delta.sh` runs it on the tables that it needs.
public final class DeltaRun {
  private DeltaRun() {}

  /// Runs all of it.
  ///
  /// @param args `FOLDER ROUNDS`
  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    for (String columns : List.of("*", "id,f0,f1,f2,f3,f4,f5,f6,f7", "n0,n1,n2,n3")) {
      DeletedRows.compare(
          columns,
          () -> DeltaDataset.table(folder.resolve("plain").toString()).dataset(),
          () -> DeltaDataset.table(folder.resolve("deleted").toString()).dataset(),
          Integer.parseInt(args[1]));
    }
  }
}
