package dev.penstock.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Where an epoch's rows came from: some of its rows, with their places in the delivery and in the
/// files.
///
/// @param rows how many rows the epoch has
/// @param delivered the places of the sample's rows in the delivery, each in `[0, rows)`
/// @param inFiles the places of the same rows in file order
/// @param rankCorrelation Spearman's, of both orders; empty if it was not computed
/// @param labels how labels are spread over batches; empty if it was not measured
public record OrderSample(
    long rows,
    List<Long> delivered,
    List<Long> inFiles,
    OptionalDouble rankCorrelation,
    Optional<LabelShares> labels) {
  /// The most rows of a sample.
  public static final int ROWS_MAX = 4_000;

  /// Checks and copies the lists.
  ///
  /// @throws IllegalArgumentException if the lists differ in length
  public OrderSample {
    if (delivered.size() != inFiles.size()) {
      throw new IllegalArgumentException(
          "Cannot pair places: %s in the delivery but %s in the files."
              .formatted(delivered.size(), inFiles.size()));
    }
    delivered = List.copyOf(delivered);
    inFiles = List.copyOf(inFiles);
  }

  /// The shares of labels in some batches.
  ///
  /// @param column the column of labels
  /// @param values the labels; the last is `others` if there are more than are shown
  /// @param batches the numbers of the batches
  /// @param shares for each value its share in each batch, in `[0, 1]`
  /// @param overall the share of each value in all rows
  public record LabelShares(
      String column,
      List<String> values,
      List<Long> batches,
      List<List<Double>> shares,
      List<Double> overall) {
    /// Copies the lists.
    public LabelShares {
      values = List.copyOf(values);
      batches = List.copyOf(batches);
      shares = shares.stream().map(List::copyOf).toList();
      overall = List.copyOf(overall);
    }
  }
}
