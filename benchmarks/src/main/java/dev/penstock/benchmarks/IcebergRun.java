package dev.penstock.benchmarks;

import dev.penstock.StructuredDataset;
import dev.penstock.iceberg.IcebergDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Plan;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// What Iceberg tables cost: a table with deleted rows beside the same without, and planning many
/// files. `benchmarks/iceberg.sh` runs it on the tables that it needs.
///
/// The time of plans is that of the processor, of all threads of this JVM, and that of the clock:
/// of one that reads the manifests and one footer, then of one that reads all footers. The first
/// epoch has delete files and the pass over the key columns in it.
public final class IcebergRun {
  private IcebergRun() {}

  /// Runs all of it.
  ///
  /// @param args `FOLDER ROUNDS`
  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    int rounds = Integer.parseInt(args[1]);
    for (int round = 0; round < Math.min(rounds, 8); round++) {
      StructuredDataset many = IcebergDataset.metadata(folder.resolve("many").toString()).dataset();
      plan("manifests, round " + round, many.where("id < 50"));
      plan("manifests and footers, round " + round, many);
    }
    for (String columns : List.of("*", "id,f0,f1,f2,f3,f4,f5,f6,f7", "n0,n1,n2,n3")) {
      DeletedRows.compare(
          columns,
          () -> IcebergDataset.metadata(folder.resolve("plain").toString()).dataset(),
          () -> IcebergDataset.metadata(folder.resolve("deleted").toString()).dataset(),
          rounds);
    }
  }

  private static void plan(String what, StructuredDataset dataset) {
    long clock = System.nanoTime();
    double processor = DeletedRows.processorSeconds();
    Plan plan = dataset.plan(LoaderOptions.defaults(), 0);
    System.out.printf(
        Locale.ROOT,
        "%s: %d of %d files, %.2f s by the clock, %.2f s of the processor%n",
        what,
        plan.files().size(),
        plan.files().size() + plan.prunedFiles().size(),
        (System.nanoTime() - clock) / 1e9,
        DeletedRows.processorSeconds() - processor);
  }
}
