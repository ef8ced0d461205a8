package dev.penstock.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How datasets are mixed, as [dev.penstock.Mixture] says it.
///
/// @param stages the weights, the first from row 0 on, in ascending order of rows
public record Mix(List<Stage> stages, Ending ending) {
  /// When an epoch of a mixture ends.
  public enum Ending {
    /// When a source has no row for its next place.
    FIRST,
    /// When no source has a row; those that ended have no share any more.
    ALL,
    /// When every source was read at least once; those that ended begin anew.
    REPEAT
  }

  /// The weights from a row of the mixture on, one for each source, not negative.
  public record Stage(long row, List<Double> weights) {
    public Stage {
      weights = List.copyOf(weights);
    }
  }

  public Mix {
    stages = List.copyOf(stages);
  }

  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    for (Stage stage : stages) {
      texts.add(stage.weights() + (stage.row() == 0 ? "" : " from row " + stage.row()));
    }
    return "weights "
        + String.join(", ", texts)
        + ", stop "
        + ending.name().toLowerCase(Locale.ROOT);
  }

  Shares shares(List<Mixing.Source> sources) {
    return new Shares(sources.stream().mapToLong(Mixing.Source::rows).toArray(), stages, ending);
  }
}
