package dev.penstock.internal.passes;

import dev.penstock.internal.compose.ComposedWindows;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.compose.WindowFacts;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.order.Need;
import dev.penstock.internal.plan.Sequence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/// Finds how much a composition makes of each window, by one pass over the column that decides it;
/// then ranks can be dealt equal numbers of batches. Where keys are not sorted, a second pass looks
/// for one that comes again.
final class WindowPass {
  private WindowPass() {}

  static ComposedWindows find(PassReader reader, Need.Windows need, RowSteps steps) {
    Composing composing = Objects.requireNonNull(steps.composing());
    WindowFacts facts = read(reader, need.windows(), steps, false);
    boolean mayComeAgain =
        Composing.isOfGroups(composing.how()) && !facts.areKeysSorted(need.windows());
    if (mayComeAgain) {
      facts = read(reader, need.windows(), steps, true);
    }
    try {
      return ComposedWindows.of(composing, need.rows(), need.windows(), facts);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static WindowFacts read(
      PassReader reader, Sequence windows, RowSteps steps, boolean hasAllKeys) {
    WindowFacts facts = new WindowFacts(hasAllKeys);
    reader.read(
        "count what is made of each window", windows.runs(), steps.counting(facts), List.of());
    return facts;
  }
}
