package dev.penstock.report;

import dev.penstock.BadFile;
import dev.penstock.StructuredDataset;
import dev.penstock.internal.request.PlanJson;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Plan;
import dev.penstock.split.PrunedRows;
import dev.penstock.split.Rank;
import dev.penstock.split.Split;
import dev.penstock.stats.RankCosts;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Who reads what: a plan, beside it the shares of the ranks and what is left out.
///
/// @param plan the plan, with pruned rows left out of its splits
/// @param readers what each reader reads
/// @param ranks the rows of each rank; empty for one rank, or if they are not known
/// @param rank this rank's number
/// @param pruned what is not read, and why
/// @param badFiles the files that were left out because they cannot be read
/// @param costs what the batches of all ranks cost; empty if they are not balanced, or if it was
///   not measured
public record PlanPart(
    Plan plan,
    List<Reader> readers,
    List<Long> ranks,
    int rank,
    List<Pruned> pruned,
    List<BadFile> badFiles,
    Optional<RankCosts> costs) {
  /// More ranks than this are not shown.
  private static final int RANKS_MAX = 256;

  /// What a reader reads.
  ///
  /// @param rows rows of all its splits
  /// @param bytes its share of the files' bytes, by rows
  /// @param splits how many splits
  public record Reader(long rows, long bytes, int splits) {}

  /// What is not read.
  ///
  /// @param by what ruled it out
  /// @param files how many files
  /// @param rows how many rows; 0 if the files were not opened
  /// @param why in words
  public record Pruned(String by, long files, long rows, String why) {}

  /// Copies the lists.
  public PlanPart {
    readers = List.copyOf(readers);
    ranks = List.copyOf(ranks);
    pruned = List.copyOf(pruned);
    badFiles = List.copyOf(badFiles);
  }

  /// Describes a plan.
  ///
  /// @param dataset what is read
  /// @param options how it is delivered
  /// @param plan what an epoch reads
  /// @return the part of a report
  public static PlanPart of(StructuredDataset dataset, LoaderOptions options, Plan plan) {
    Plan read = plan.withoutPruned();
    Rank rank = options.rankShare().rank().orElse(Rank.SINGLE);
    return new PlanPart(
        read,
        read.splits().stream().map(PlanPart::reader).toList(),
        ranks(dataset, options, plan.epoch(), rank.count()),
        rank.index(),
        pruned(dataset, plan),
        dataset.badFiles(),
        Optional.empty());
  }

  /// Adds what the batches of all ranks cost.
  ///
  /// @param measured the costs, see [dev.penstock.DataLoader#rankCosts()]
  /// @return the changed part
  public PlanPart costs(RankCosts measured) {
    return new PlanPart(plan, readers, ranks, rank, pruned, badFiles, Optional.of(measured));
  }

  private static Reader reader(Split split) {
    return new Reader(split.rows(), PlanJson.bytes(split), split.fileSplits().size());
  }

  /// Returns the rows of each rank. Behind a filter they are not known before the rows are read.
  private static List<Long> ranks(
      StructuredDataset dataset, LoaderOptions options, long epoch, int count) {
    if (count == 1 || count > RANKS_MAX || dataset.filter().isPresent()) {
      return List.of();
    }
    List<Long> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(dataset.plan(options.rank(new Rank(i, count)), epoch).rows());
    }
    return rows;
  }

  private static List<Pruned> pruned(StructuredDataset dataset, Plan plan) {
    String why =
        dataset
            .filter()
            .map(filter -> "No row matches " + filter + ".")
            .orElse("No source takes a row.");
    List<Pruned> all = new ArrayList<>();
    if (!plan.prunedFiles().isEmpty()) {
      all.add(new Pruned("folders or table metadata", plan.prunedFiles().size(), 0, why));
    }
    Set<Location> files = new HashSet<>();
    long rows = 0;
    for (PrunedRows each : plan.pruned()) {
      files.add(each.file().location());
      rows += each.rows().length();
    }
    if (rows > 0) {
      all.add(new Pruned("statistics of row groups", files.size(), rows, why));
    }
    return all;
  }
}
