package dev.penstock.cli.measure;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import dev.penstock.report.OrderSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/// How well an epoch's rows are shuffled.
///
/// @param sampled how many of them the correlation covers
/// @param correlation between their order in the files and that of delivery, see [RankCorrelation]
/// @param labels how mixed labels are; empty if not measured
/// @param order some rows with their places; empty for mixtures
public record ShuffleReport(
    long epoch,
    long rows,
    int sampled,
    double correlation,
    Optional<Labels> labels,
    Optional<OrderSample> order) {
  /// How mixed the labels are.
  ///
  /// @param perBatch the mean entropy in a batch, in bits, see [LabelMix]
  /// @param overall the entropy over all rows
  /// @param ratio `perBatch` divided by `overall`
  public record Labels(String column, double perBatch, double overall, double ratio) {}

  /// Writes the report as fields of the epoch's object.
  public void write(JsonGenerator json) {
    write(json, "rankCorrelation", correlation);
    json.writeNumberProperty("rankCorrelationRows", sampled);
    labels.ifPresent(each -> {
      json.writeStringProperty("label", each.column());
      write(json, "labelEntropyPerBatch", each.perBatch());
      write(json, "labelEntropy", each.overall());
      write(json, "labelEntropyRatio", each.ratio());
    });
  }

  private static void write(JsonGenerator json, String name, double number) {
    if (Double.isNaN(number)) {
      json.writeName(name).writeNull();
    } else {
      json.writeNumberProperty(name, number);
    }
  }

  /// Returns the reports of some epochs in words, for a terminal of `columns` characters; empty
  /// without reports.
  public static String text(List<ShuffleReport> reports, int columns) {
    if (reports.isEmpty()) {
      return "";
    }
    TextTable table = new TextTable().right("epoch").right("rank correlation");
    ShuffleReport last = reports.getLast();
    if (last.labels().isPresent()) {
      table.right("label entropy in a batch").right("in all rows").right("ratio");
    }
    reports.forEach(report -> table.row(report.cells()));
    return "\n"
        + table.fit(columns)
        + "\nRank correlation: Spearman's, of the rows' order in the files and that of delivery"
        + (last.sampled() < last.rows()
            ? ", over a sample of " + Numbers.count(last.sampled(), "row")
            : "")
        + "; 1 is file order, 0 unrelated.\n"
        + last.labels()
            .map(each ->
                "Label entropy: of '"
                    + each.column()
                    + "', in bits; a ratio of 1 is batches as mixed as all rows.\n")
            .orElse("");
  }

  private List<String> cells() {
    List<String> cells = new ArrayList<>();
    cells.add(String.valueOf(epoch));
    cells.add(number(correlation));
    labels.ifPresent(each -> {
      cells.add(number(each.perBatch()));
      cells.add(number(each.overall()));
      cells.add(number(each.ratio()));
    });
    return cells;
  }

  private static String number(double number) {
    return Double.isNaN(number) ? "-" : Numbers.fixed(number, 4);
  }
}
