package dev.penstock.score;

import dev.penstock.schema.Schema;
import java.util.List;
import java.util.Map;

/// What a [Scorer] would do.
///
/// @param inputs the columns of each input of the model, by its name, in order; empty if the model
///   does not say its inputs and gets all columns
/// @param carried the columns that are written beside the model's outputs: keys first
/// @param outputs the model's outputs as they are written, by the first batch; empty if there are
///   no rows
/// @param rows the rows that are read, those that the filter leaves out among them as far as
///   statistics do not tell
/// @param parts the parts that they are cut into
/// @param missing the parts that this rank will make: those that are not there yet
public record ScorePlan(
    Map<String, List<String>> inputs,
    Schema carried,
    List<String> outputs,
    long rows,
    int parts,
    int missing) {
  /// Copies the list.
  public ScorePlan {
    outputs = List.copyOf(outputs);
  }

  /// {@return what feeds what, a line for each input, as `x <- distance, hour (2 columns)`; empty
  /// if the model gets all columns}
  public String feeding() {
    return InputColumns.text(inputs);
  }
}
